// When a worker claims: new events and sweeps take turns, and a sweep over many tenants is claimed a few at a time.
import { afterEach, expect, test, vi } from 'vitest'
import { type ClaimRound, ClaimSchedule } from '../../../src/delivery/worker/claim-schedule.js'

afterEach(() => void vi.useRealTimers())

/** Claims end when the test says so. */
function startSchedule(due: readonly { tenantId: string; subscriptions: number }[]) {
  const rounds: ClaimRound[] = []
  let finish = () => {}
  const begun = new Map<number, () => void>()
  const schedule = new ClaimSchedule({
    canClaim: () => true,
    hasRoom: (tenantId) => tenantId !== 'full',
    findDue: () => Promise.resolve(rounds.some(({ isSweep }) => isSweep) ? [] : due),
    claim: (round) => {
      rounds.push(round)
      begun.get(rounds.length)?.()
      return new Promise((resolve) => (finish = resolve))
    },
    onTrouble: (error) => expect.fail(error.message),
  })
  schedule.start()
  return {
    schedule,
    rounds,
    /** Settles when that many claims were begun. */
    begins: (count: number) =>
      rounds.length >= count ? Promise.resolve() : new Promise<void>((resolve) => void begun.set(count, resolve)),
    finish: () => finish(),
    async stop() {
      const stopped = schedule.stop()
      finish()
      await stopped
    },
  }
}

const tenants = (rounds: readonly ClaimRound[]) => rounds.map((round) => round.tenants)

test('a tenant with a new event waits for one claim, however many tenants a sweep has found', async () => {
  const crowd = Array.from({ length: 10 }, (_, index) => ({ tenantId: `crowd ${index}`, subscriptions: 50 }))
  const { schedule, rounds, begins, finish, stop } = startSchedule(crowd)
  await begins(1)
  for (let count = 1; count <= 3; count++) {
    schedule.wake('neighbour')
    finish()
    await begins(2 * count)
    finish()
    await begins(2 * count + 1)
  }
  expect(tenants(rounds)).toEqual([
    ['crowd 0'],
    ['neighbour'],
    ['crowd 1'],
    ['neighbour'],
    ['crowd 2'],
    ['neighbour'],
    ['crowd 3'],
  ])
  await stop()
})

test('tenants with few subscriptions are claimed together, and one whose share is taken waits for a sweep', async () => {
  const due = [30, 15, 5, 1].map((subscriptions, index) => ({ tenantId: `t${index}`, subscriptions }))
  const { schedule, rounds, begins, finish, stop } = startSchedule(due)
  schedule.wake('full')
  await begins(1)
  finish()
  await begins(2)
  expect(tenants(rounds)).toEqual([['t0', 't1', 't2'], ['t3']])
  await stop()
})

test('a claim that met a locked row looks once more, and only once', async () => {
  const { schedule, rounds, begins, finish, stop } = startSchedule([])
  schedule.wake('busy')
  for (let count = 1; count <= 2; count++) {
    await begins(count)
    const last = rounds.at(-1)
    if (last) schedule.foundNothing(last)
    finish()
  }
  schedule.wakeLater('other', 60)
  await begins(3)
  expect(tenants(rounds)).toEqual([['busy'], ['busy'], ['other']])
  await stop()
})

test('where claims find nothing, news are looked at together, until something is found', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { schedule, rounds, begins, finish, stop } = startSchedule([])
  const claimInVain = async (count: number) => {
    await begins(count)
    const last = rounds.at(-1)
    if (last) schedule.foundNothing(last)
    finish()
  }
  schedule.tell('paused')
  for (let count = 1; count <= 3; count++) {
    await claimInVain(count)
    if (count < 3) schedule.tell('paused')
  }
  // The third was in vain as well: these wait, while others do not.
  for (let event = 0; event < 20; event++) schedule.tell('paused')
  schedule.tell('neighbour')
  await begins(4)
  schedule.foundSomething('neighbour')
  finish()
  vi.advanceTimersByTime(15)
  await claimInVain(5)
  schedule.wake('paused')
  await begins(6)
  schedule.foundSomething('paused')
  finish()
  expect(tenants(rounds)).toEqual([['paused'], ['paused'], ['paused'], ['neighbour'], ['paused'], ['paused']])
  await stop()
})
