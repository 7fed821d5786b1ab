// What an attempt means for its delivery: the ladder, every class of answer, every form of Retry-After, and properties
// over all of them.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type JudgedResult, judge, retryAfterMs } from '../../../src/delivery/attempt/judge.js'
import type { TransportError } from '../../../src/delivery/transport/transport-error.js'

const seconds = 1000
const hours = 3600 * seconds
const delaysMs = [0, 60, 300, 900, 3_600, 21_600, 43_200, 86_400].map((delay) => delay * seconds)
const now = new Date('2026-03-01T12:00:00.000Z')
const without = { delaysMs, random: () => 0 }

const answered = (status: number, retryAfter: string | null = null): JudgedResult => ({
  kind: 'answered',
  status,
  retryAfter,
})
const waitMs = (attempt: number, result: JudgedResult, random = 0): number => {
  const verdict = judge(attempt, result, now, { delaysMs, random: () => random })
  if (verdict.status !== 'RETRYING') throw new Error(`expected RETRYING, got ${verdict.status}`)
  return verdict.nextAttemptAt.getTime() - now.getTime()
}

test('the ladder: seven gaps counted from the end of each attempt, and no ninth attempt', () => {
  const instants: string[] = []
  let at = now
  for (let attempt = 1; ; attempt++) {
    const verdict = judge(attempt, answered(500), at, without)
    if (verdict.status !== 'RETRYING') {
      expect(verdict).toEqual({ status: 'DEAD_LETTERED', lastError: 'http_500' })
      expect(attempt).toBe(8)
      break
    }
    at = verdict.nextAttemptAt
    instants.push(at.toISOString())
  }
  expect(instants).toEqual([
    '2026-03-01T12:01:00.000Z',
    '2026-03-01T12:06:00.000Z',
    '2026-03-01T12:21:00.000Z',
    '2026-03-01T13:21:00.000Z',
    '2026-03-01T19:21:00.000Z',
    '2026-03-02T07:21:00.000Z',
    '2026-03-03T07:21:00.000Z',
  ])
})

test.each([200, 201, 202, 204, 226, 299])('%i is success', (status) => {
  expect(judge(8, answered(status), now, without)).toEqual({ status: 'SUCCEEDED', deliveredAt: now, lastError: null })
})

test.each([300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504, 599, 999])(
  '%i is tried again',
  (status) => {
    expect(judge(1, answered(status), now, without)).toEqual({
      status: 'RETRYING',
      nextAttemptAt: new Date(now.getTime() + 60 * seconds),
      lastError: `http_${status}`,
    })
  },
)

test.each<TransportError>(['timeout', 'connection_refused', 'connection_reset', 'dns_error', 'tls_error'])(
  '%s is tried again',
  (error) => {
    expect(judge(3, { kind: 'failed', error }, now, without)).toMatchObject({ status: 'RETRYING', lastError: error })
    expect(judge(8, { kind: 'failed', error }, now, without)).toEqual({ status: 'DEAD_LETTERED', lastError: error })
  },
)

test.each([1, 4, 8])('410 at attempt %i fails the delivery at once and says that the endpoint is gone', (attempt) => {
  expect(judge(attempt, answered(410, '60'), now, without)).toEqual({
    status: 'FAILED',
    lastError: 'endpoint_gone',
    isEndpointGone: true,
  })
})

test.each([1, 4, 8])(
  'a blocked address at attempt %i fails the delivery at once and leaves the endpoint',
  (attempt) => {
    const verdict = judge(attempt, { kind: 'failed', error: 'blocked_address' }, now, without)
    expect(verdict).toEqual({ status: 'FAILED', lastError: 'blocked_address', isEndpointGone: false })
  },
)

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['120', 120 * seconds],
    [' 120 ', 120 * seconds],
    ['0120', 120 * seconds],
    ['1.5', 1.5 * seconds],
    ['90.25', 90.25 * seconds],
    ['86400', 24 * hours],
    ['86401', 24 * hours],
    ['99999999999999999999999999', 24 * hours],
    ['9'.repeat(400), 24 * hours],
    ['-1', 0],
    ['-120', 0],
    ['+120', 0],
    ['1e3', 0],
    ['0x10', 0],
    ['Infinity', 0],
    ['NaN', 0],
    ['', 0],
    ['soon', 0],
    ['120 seconds', 0],
    ['120, 240', 0],
    ['tomorrow 12:00', 0],
    ['2026-03-01T13:00:00Z', 0],
    ['Sun, 01 Mar 2026 13:00:00 GMT', 1 * hours],
    ['Sunday, 01-Mar-26 13:00:00 GMT', 1 * hours],
    ['Sun Mar  1 13:00:00 2026', 1 * hours],
    ['sun, 01 mar 2026 13:00:00 gmt', 1 * hours],
    ['Sun, 01 Mar 2026 12:00:00 GMT', 0],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['Fri, 01 Jan 2100 00:00:00 GMT', 24 * hours],
    ['Sun, 99 Foo 2026 99:99:99 GMT', 0],
    ['Sunday', 0],
  ])('%j asks for %i ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected)
  })

  test.each([429, 503])('delays the next attempt after %i when it asks for more than the ladder', (status) => {
    expect(waitMs(1, answered(status, '7200'))).toBe(2 * hours)
    expect(waitMs(1, answered(status, 'Sun, 01 Mar 2026 14:00:00 GMT'))).toBe(2 * hours)
  })

  test.each([429, 503])('never brings the next attempt after %i forward', (status) => {
    for (const header of ['0', '1', '59.9', '-5', 'soon', 'Sun, 01 Mar 2026 11:00:00 GMT'])
      expect(waitMs(2, answered(status, header))).toBe(300 * seconds)
  })

  test.each([301, 400, 404, 500, 502, 504])('is not heard with %i', (status) => {
    expect(waitMs(1, answered(status, '7200'))).toBe(60 * seconds)
  })

  test('grants no ninth attempt', () => {
    expect(judge(8, answered(429, '60'), now, without)).toEqual({ status: 'DEAD_LETTERED', lastError: 'http_429' })
  })
})

test('jitter adds up to 5 percent', () => {
  expect(waitMs(1, answered(500), 0)).toBe(60_000)
  expect(waitMs(1, answered(500), 0.5)).toBe(61_500)
  expect(waitMs(1, answered(500), 0.999999)).toBe(63_000)
})

describe('whatever comes back', () => {
  const status = fc.oneof(fc.integer({ min: 200, max: 599 }), fc.constantFrom(410, 429, 503))
  const retryAfter = fc.option(
    fc.oneof(
      fc.string(),
      fc.double().map(String),
      fc.integer().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    ),
  )
  const error = fc.constantFrom<TransportError>(
    'timeout',
    'connection_refused',
    'connection_reset',
    'dns_error',
    'tls_error',
    'blocked_address',
  )
  const result: fc.Arbitrary<JudgedResult> = fc.oneof(
    fc.record({ kind: fc.constant('answered' as const), status, retryAfter }),
    fc.record({ kind: fc.constant('failed' as const), error }),
  )
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

  test('the next attempt is never earlier than the floor, and never later than jitter and a day of Retry-After allow', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 8 }), result, instant, random, (attempt, judged, at, chance) => {
        const verdict = judge(attempt, judged, at, { delaysMs, random: () => chance })
        if (verdict.status !== 'RETRYING') return
        const wait = verdict.nextAttemptAt.getTime() - at.getTime()
        const floor = delaysMs[attempt] ?? Number.NaN
        expect(wait).toBeGreaterThanOrEqual(floor)
        expect(wait).toBeLessThanOrEqual(Math.max(Math.ceil(floor * 1.05), 24 * hours))
      }),
      { numRuns: 2_000 },
    )
  })

  test('a cycle ends after at most eight attempts, and FAILED and SUCCEEDED end it at once', () => {
    fc.assert(
      fc.property(fc.array(result, { minLength: 8, maxLength: 12 }), random, (results, chance) => {
        const verdicts = results.map((judged, index) =>
          judge(index + 1, judged, now, { delaysMs, random: () => chance }),
        )
        const sent = verdicts.findIndex((verdict) => verdict.status !== 'RETRYING') + 1
        expect(sent).toBeGreaterThanOrEqual(1)
        expect(sent).toBeLessThanOrEqual(8)
        expect(verdicts[sent - 1]?.status === 'DEAD_LETTERED').toBe(sent === 8 && !isDecided(results[7]))
      }),
      { numRuns: 1_000 },
    )
  })

  /** Ends a cycle whatever the attempt's number. */
  function isDecided(judged: JudgedResult | undefined): boolean {
    if (judged?.kind === 'failed') return judged.error === 'blocked_address'
    return judged !== undefined && (judged.status < 300 || judged.status === 410)
  }
})
