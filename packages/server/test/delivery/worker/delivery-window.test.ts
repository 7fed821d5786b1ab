// How many requests each subscription may have under way, and how the slots of a worker are shared among tenants.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Claimed } from '../../../src/delivery/queue/claim.js'
import { Slots } from '../../../src/delivery/queue/slots.js'
import { createDialTurns } from '../../../src/delivery/transport/dial-turns.js'
import { createWindows, type Ending } from '../../../src/delivery/worker/concurrency-window.js'

function newWindows() {
  const clock = { ms: 1_000_000 }
  return { clock, windows: createWindows(() => clock.ms) }
}

/** An endpoint that always has more to take, beside others of the same tenant. */
function endpoint({ windows, clock } = newWindows(), subscriptionId = 's', tenantId = 't') {
  const claimed = (): Claimed => ({
    tenantId,
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
    subscription: { tenantId, subscriptionId },
    room,
    wait: (ms: number) => {
      clock.ms += ms
    },
    underWay: () => underWay,
    fill() {
      underWay += fill()
    },
    isHealthy: () => windows.isHealthy({ tenantId, subscriptionId }),
    /** In how many milliseconds it asks for more. */
    end(ending: Ending): number | null {
      underWay--
      const { next, claimInMs } = windows.end({ tenantId, subscriptionId }, ending)
      if (next) underWay++
      return claimInMs
    },
  }
}

const quick: Ending = { kind: 'success', answeredInMs: 5 }
const slow: Ending = { kind: 'success', answeredInMs: 8_000 }
const failure: Ending = { kind: 'failure' }

describe('windows', () => {
  test('begin with one, and grow with every quick answer', () => {
    const one = endpoint()
    one.fill()
    expect(one.underWay()).toBe(1)
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

  function failAgain(one: ReturnType<typeof endpoint>): number | null {
    one.fill()
    expect(one.underWay()).toBeGreaterThan(0)
    return one.end(failure)
  }

  test('an endpoint that keeps failing gets one at a time with rests between, until it succeeds', () => {
    const one = endpoint()
    failAgain(one)
    failAgain(one)
    expect(one.room()).toBe(0)
    one.wait(50)
    expect(one.room()).toBe(1)
    one.fill()
    one.end(quick)
    expect(one.room()).toBeGreaterThan(1)
  })

  function crowd(count: number, tenants = 1) {
    const shared = newWindows()
    const all = Array.from({ length: count * tenants }, (_, index) =>
      endpoint(shared, `s${index}`, `t${index % tenants}`),
    )
    for (const one of all) failAgain(one)
    for (const one of all) failAgain(one)
    return { ...shared, all }
  }

  const rooms = (all: readonly ReturnType<typeof endpoint>[]) => all.map((one) => one.room())

  test('the endpoints of a tenant that keep failing share a pace', () => {
    const { clock, all } = crowd(50)
    clock.ms += 2_500
    for (const one of all) failAgain(one)
    clock.ms += 2_499
    expect(rooms(all)).toEqual(all.map(() => 0))
    clock.ms += 1
    expect(rooms(all)).toEqual(all.map(() => 1))
  })

  test('tenants whose endpoints keep failing share a pace too, and each gets the same of it', () => {
    const { clock, windows, all } = crowd(20, 10)
    const lone = endpoint({ clock, windows }, 'lone', 'other')
    clock.ms += 6_000
    for (const one of all) failAgain(one)
    failAgain(lone)
    failAgain(lone)
    clock.ms += 300
    expect(lone.room()).toBe(1)
    clock.ms += 4_500
    expect(rooms(all)).toEqual(all.map(() => 0))
    clock.ms += 800
    expect(rooms(all)).toEqual(all.map(() => 1))
  })

  test('who has failed, and has nothing to send any more, takes nothing of the pace', () => {
    const { clock, windows } = crowd(50)
    clock.ms += 20_001
    const lone = endpoint({ clock, windows }, 'lone')
    failAgain(lone)
    failAgain(lone)
    clock.ms += 50
    expect(lone.room()).toBe(1)
  })

  test('only who rests briefly is claimed for when its rest is over; a crowd waits for the sweeps', () => {
    const { windows, all } = crowd(3)
    for (const one of all) windows.setBacklog(one.subscription, true, undefined)
    all.forEach((one) => one.wait(60))
    expect(all.map(failAgain)).toEqual([150, 150, 150])
    const many = crowd(50)
    for (const one of many.all) many.windows.setBacklog(one.subscription, true, undefined)
    many.clock.ms += 2_500
    expect(new Set(many.all.map(failAgain))).toEqual(new Set([null]))
  })

  test('an endpoint is healthy while its answers are quick successes', () => {
    const one = endpoint()
    expect(one.isHealthy()).toBe(false)
    const after = (ending: Ending) => {
      one.fill()
      one.end(ending)
      return one.isHealthy()
    }
    expect([after(quick), after(failure), after(quick), after(slow)]).toEqual([true, false, true, false])
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

describe('turns to open a connection', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  test('come one at a time, and a tenant with one does not wait behind a tenant with many', async () => {
    const turnOf = createDialTurns(10)
    const begun: string[] = []
    const dial = (tenantId: string) => turnOf(tenantId)?.begins.then(() => begun.push(tenantId))
    expect(dial('crowd')).toBeUndefined()
    for (let count = 0; count < 20; count++) void dial('crowd')
    void dial('neighbour')
    await vi.advanceTimersByTimeAsync(9)
    expect(begun).toEqual([])
    await vi.advanceTimersByTimeAsync(11)
    expect(begun).toEqual(['crowd', 'neighbour'])
    await vi.advanceTimersByTimeAsync(190)
    expect(begun).toHaveLength(21)
  })

  test('that are given up are not waited for', async () => {
    const turnOf = createDialTurns(10)
    turnOf('crowd')
    const turns = Array.from({ length: 500 }, () => turnOf('crowd'))
    let hasBegun = false
    void turnOf('crowd')?.begins.then(() => (hasBegun = true))
    for (const turn of turns) turn?.giveUp()
    await vi.advanceTimersByTimeAsync(10)
    expect(hasBegun).toBe(true)
  })
})
