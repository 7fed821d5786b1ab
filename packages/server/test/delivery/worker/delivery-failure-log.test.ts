// Failed attempts in the operator's log: the first of a subscription in full, the rest counted, and a bound on how many
// lines there are.
import { expect, onTestFinished, test, vi } from 'vitest'
import { createFailureLog } from '../../../src/delivery/worker/failure-log.js'

function failing(options: { everyMs?: number; subscriptionsMax?: number } = {}) {
  const lines: { msg: string; [name: string]: unknown }[] = []
  const write = (fields: object, msg: string) => void lines.push({ ...fields, msg })
  const failures = createFailureLog({ log: { debug: write, info: write, warn: write }, ...options })
  const fail = (subscriptionId: string, status = 500) =>
    failures.add(
      {
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
        claimedAtMs: 0,
      },
      {
        kind: 'answered',
        status,
        retryAfter: null,
        responseBody: null,
        startedAt: new Date(0),
        durationMs: 7,
        timings: { dns: 0, connect: 0, tls: 0, firstByte: 7 },
        signature: null,
      },
      { status: 'RETRYING', nextAttemptAt: new Date(0), lastError: `http_${status}` },
    )
  return { lines, failures, fail }
}

const first = {
  msg: 'webhook attempt failed',
  deliveryId: 'd',
  eventId: 'e',
  attempt: 1,
  status: 'RETRYING',
  error: 'http_500',
  durationMs: 7,
}

test('a thousand failures of a subscription are two lines', () => {
  const { lines, failures, fail } = failing()
  for (let count = 0; count < 900; count++) fail('s')
  for (let count = 0; count < 100; count++) fail('s', 503)
  expect(lines).toMatchObject([{ ...first, subscriptionId: 's' }])
  failures.close()
  const counted = {
    subscriptionId: 's',
    failures: 999,
    errors: { http_500: 899, http_503: 100 },
    statuses: { RETRYING: 999 },
  }
  expect(lines.slice(1)).toEqual([{ msg: 'more webhook attempts failed', ...counted }])
})

test('the counts come by themselves, and who stopped failing is told in full when it fails again', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { lines, fail } = failing({ everyMs: 60_000 })
  for (let count = 0; count < 3; count++) fail('s')
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(1)).toMatchObject([{ failures: 2 }])
  fail('s')
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(2)).toMatchObject([{ failures: 1 }])
  vi.advanceTimersByTime(60_000)
  fail('s')
  expect(lines.slice(3)).toMatchObject([first])
  expect(vi.getTimerCount()).toBe(1)
})

test('a flood of failing subscriptions shares a line', () => {
  const { lines, failures, fail } = failing({ subscriptionsMax: 10 })
  for (let count = 0; count < 500; count++) fail(`s${count}`)
  failures.close()
  expect(lines).toHaveLength(11)
  expect(lines.at(-1)).toMatchObject({ msg: 'more webhook attempts of other subscriptions failed', failures: 490 })
})
