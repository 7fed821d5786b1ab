// How many requests each subscription may have under way, and how the slots of a worker are shared among tenants.
import { describe, expect, test } from 'vitest'
import type { Claimed } from '../../../src/delivery/queue/claim.js'
import { Slots } from '../../../src/delivery/queue/slots.js'
import { createDialTurns } from '../../../src/delivery/transport/dial-turns.js'
import { createWindows, type Ending } from '../../../src/delivery/worker/concurrency-window.js'

function newWindows() {
  const clock = { ms: 1_000_000 }
  return { clock, windows: createWindows(() => clock.ms) }
}

/** An endpoint that always has more to take, beside others of the same tenant. */
function endpoint({ windows, clock } = newWindows(), subscriptionId = 's') {
  const claimed = (): Claimed => ({
    tenantId: 't',
    id: 'd',
    subscriptionId,
    subscriptionVersion: 1,
    eventId: 'e',
    eventType: 'task.created',
    attempt: 1,
    attemptOfCycle: 1,
    trigger: 'event',
    body: '{}',
    isExhausted: false,
    claim: 'c',
    claimedAtMs: clock.ms,
  })
  const room = () => windows.rooms().get(subscriptionId)?.deliveries ?? windows.roomFirst
  /** Claims as many as there is room for. */
  const fill = () => Array.from({ length: room() }, () => windows.admit(claimed())).filter(Boolean).length
  let underWay = 0
  return {
    windows,
    room,
    wait: (ms: number) => {
      clock.ms += ms
    },
    underWay: () => underWay,
    fill() {
      underWay += fill()
    },
    end(ending: Ending) {
      underWay--
      if (windows.end({ tenantId: 't', subscriptionId }, ending).next) underWay++
    },
  }
}

const quick: Ending = { kind: 'success', answeredInMs: 5 }
const slow: Ending = { kind: 'success', answeredInMs: 8_000 }
const failure: Ending = { kind: 'failure' }

describe('windows', () => {
  test('begin with few, and grow with every quick answer', () => {
    const one = endpoint()
    one.fill()
    expect(one.underWay()).toBe(2)
    for (let round = 0; round < 40; round++) {
      one.end(quick)
      one.fill()
    }
    expect(one.underWay()).toBe(16)
  })

  test('an endpoint that answers after eight seconds never has more than eight under way', () => {
    const one = endpoint()
    for (let round = 0; round < 200; round++) {
      one.fill()
      expect(one.underWay()).toBeLessThanOrEqual(8)
      one.end(slow)
    }
  })

  test('an endpoint that becomes slow shrinks to what its recent answers allow', () => {
    const one = endpoint()
    for (let round = 0; round < 40; round++) {
      one.fill()
      one.end(quick)
    }
    for (let round = 0; round < 40; round++) one.end(slow)
    one.fill()
    expect(one.underWay()).toBeLessThanOrEqual(8)
  })

  test('give back what has waited too long, and claim little ahead until answers are quick again', () => {
    const one = endpoint()
    for (let round = 0; round < 40; round++) {
      one.fill()
      one.end(quick)
    }
    one.fill()
    expect(one.room()).toBe(0)
    expect(one.windows.dismissLate()).toEqual([])
    one.wait(1_100)
    expect(one.windows.dismissLate()).toHaveLength(64)
    expect(one.room()).toBe(8)
    for (let round = 0; round < 20; round++) one.end(quick)
    expect(one.room()).toBeGreaterThan(64)
  })

  /** Fails once more, after whatever rest it needs. */
  function failAgain(one: ReturnType<typeof endpoint>): void {
    one.fill()
    expect(one.underWay()).toBeGreaterThan(0)
    one.end(failure)
  }

  test('an endpoint that keeps failing gets one at a time with rests between, until it succeeds', () => {
    const one = endpoint()
    for (let round = 0; round < 4; round++) failAgain(one)
    expect(one.room()).toBe(0)
    one.wait(50)
    expect(one.room()).toBe(1)
    one.fill()
    one.end(quick)
    expect(one.room()).toBeGreaterThan(1)
  })

  test('the endpoints of a tenant that keep failing share a pace', () => {
    const shared = newWindows()
    const all = Array.from({ length: 50 }, (_, index) => endpoint(shared, `s${index}`))
    for (const one of all) for (let round = 0; round < 4; round++) failAgain(one)
    shared.clock.ms += 2_500
    for (const one of all) failAgain(one)
    shared.clock.ms += 2_499
    expect(all.map((one) => one.room())).toEqual(all.map(() => 0))
    shared.clock.ms += 1
    expect(all.map((one) => one.room())).toEqual(all.map(() => 1))
  })
})

describe('slots', () => {
  /** Every tenant takes what it may, in rounds as claims do, until nobody may any more. */
  function fill(slots: Slots, tenants: readonly string[]): number[] {
    for (let taken = 1; taken > 0; ) {
      const fair = Math.ceil(slots.roomFirst / tenants.length)
      taken = 0
      for (const id of tenants)
        for (let left = Math.min(slots.roomOf(id), fair); left > 0; left--, taken++) slots.take(id)
    }
    return tenants.map((id) => slots.tenants().get(id)?.held ?? 0)
  }

  test('one tenant alone holds half of them at most', () => {
    const slots = new Slots(1_024)
    expect(fill(slots, ['a'])).toEqual([512])
    expect(slots.roomOf('a')).toBe(0)
    expect(slots.roomOf('b')).toBe(256)
  })

  test.each([10, 50, 200])('%i tenants that hold all they may leave a like share to the next', (count) => {
    const slots = new Slots(1_024)
    const held = fill(
      slots,
      Array.from({ length: count }, (_, index) => `t${index}`),
    )
    const fair = 1_024 / (count + 1)
    for (const one of held) expect(one).toBeLessThanOrEqual(fair * 1.5 + 1)
    expect(slots.roomOf('new')).toBeGreaterThan(0)
    expect(slots.roomOf('new')).toBeGreaterThanOrEqual(Math.floor(fair / 4))
  })

  test('what is given back is there again', () => {
    const slots = new Slots(8)
    for (let count = 0; count < 4; count++) slots.take('a')
    expect([slots.roomOf('a'), slots.roomOf('b')]).toEqual([0, 2])
    for (let count = 0; count < 4; count++) slots.giveBack('a')
    expect([slots.roomOf('a'), slots.tenants().size]).toEqual([4, 0])
  })
})

test('connections are begun two at a time, and a tenant with one does not wait behind a tenant with many', async () => {
  const turnOf = createDialTurns()
  const begun: string[] = []
  const dial = async (tenantId: string) => {
    await turnOf(tenantId)
    begun.push(tenantId)
  }
  const all = [...Array.from({ length: 20 }, () => dial('crowd')), dial('neighbour')]
  await Promise.resolve()
  await Promise.resolve()
  expect(begun).toHaveLength(2)
  await Promise.all(all)
  expect(begun).toHaveLength(21)
  expect(begun.indexOf('neighbour')).toBeGreaterThan(0)
  expect(begun.indexOf('neighbour')).toBeLessThan(6)
})
