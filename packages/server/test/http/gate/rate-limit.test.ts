// The token bucket's promises, in memory and on an injected clock.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Limit, memoryBuckets } from '../../../src/http/gate/rate-limit.js'

const read: Limit = { sustained: 100, burst: 200 }
const write: Limit = { sustained: 30, burst: 60 }
const startMs = Date.parse('2026-01-01T00:00:00.000Z')

describe('buckets in memory', () => {
  test.each([
    ['read', read],
    ['write', write],
  ] as const)('%s: exactly the burst is allowed at once, then nothing', (_, limit) => {
    const buckets = memoryBuckets()
    const taken = Array.from({ length: limit.burst + 20 }, () => buckets.take('a', limit, startMs))
    expect(taken.map(({ allowed }) => allowed)).toEqual(taken.map((_, index) => index < limit.burst))
    expect(taken.map(({ remaining }) => remaining)).toEqual(
      taken.map((_, index) => Math.max(0, limit.burst - 1 - index)),
    )
  })

  test('the answer tells limit, remaining, when the bucket is full and when to come back', () => {
    const buckets = memoryBuckets()
    const nowMs = startMs + 250
    const fullSeconds = (ms: number) => Math.ceil((nowMs + ms) / 1000)
    expect(buckets.take('a', write, nowMs)).toEqual({
      allowed: true,
      limit: 60,
      remaining: 59,
      resetAt: fullSeconds(1000 / 30),
      retryAfter: 1,
    })
    for (let count = 1; count < 60; count++) buckets.take('a', write, nowMs)
    expect(buckets.take('a', write, nowMs)).toEqual({
      allowed: false,
      limit: 60,
      remaining: 0,
      resetAt: fullSeconds(2000),
      retryAfter: 1,
    })
  })

  test('retryAfter is the whole seconds until the next token, when tokens are rarer than one a second', () => {
    const buckets = memoryBuckets()
    const rare = { sustained: 0.1, burst: 1 }
    buckets.take('a', rare, startMs)
    expect(buckets.take('a', rare, startMs).retryAfter).toBe(10)
    expect(buckets.take('a', rare, startMs + 6_500)).toMatchObject({ allowed: false, retryAfter: 4 })
    expect(buckets.take('a', rare, startMs + 10_000)).toMatchObject({ allowed: true })
  })

  test('tokens come back continuously, not at the turn of a second', () => {
    const buckets = memoryBuckets()
    for (let count = 0; count < 200; count++) buckets.take('a', read, startMs)
    expect(buckets.take('a', read, startMs + 9)).toMatchObject({ allowed: false })
    expect(buckets.take('a', read, startMs + 10)).toMatchObject({ allowed: true, remaining: 0 })
    expect(buckets.take('a', read, startMs + 19)).toMatchObject({ allowed: false })
    expect(buckets.take('a', read, startMs + 1_010)).toMatchObject({ allowed: true, remaining: 99 })
    expect(buckets.take('a', read, startMs + 60_000)).toMatchObject({ allowed: true, remaining: 199 })
  })

  test('keys do not share tokens', () => {
    const buckets = memoryBuckets()
    const one = { sustained: 1, burst: 1 }
    expect(['a', 'b', 'a', 'b'].map((key) => buckets.take(key, one, startMs).allowed)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  test('a lowered limit holds at once, a raised one fills up', () => {
    const buckets = memoryBuckets()
    buckets.take('a', read, startMs)
    expect(buckets.take('a', write, startMs)).toMatchObject({ allowed: true, limit: 60, remaining: 59 })
    expect(buckets.take('a', read, startMs + 1_000)).toMatchObject({ allowed: true, limit: 200, remaining: 158 })
  })

  test('a clock set back by an hour earns nothing and does not freeze the bucket', () => {
    const buckets = memoryBuckets()
    for (let count = 0; count < 60; count++) buckets.take('a', write, startMs)
    const backMs = startMs - 3_600_000
    expect(buckets.take('a', write, backMs)).toMatchObject({ allowed: false })
    expect(buckets.take('a', write, backMs + 1_000)).toMatchObject({ allowed: true, remaining: 29 })
  })

  test('full buckets are forgotten, so that a hundred thousand passing keys keep the memory of a few', () => {
    const buckets = memoryBuckets()
    const address = { sustained: 20, burst: 40 }
    for (let client = 0; client < 100_000; client++) buckets.take(`address ${client}`, address, startMs + client)
    expect(buckets.size).toBeLessThanOrEqual(2_048)
  })

  test('a bucket that is not full is never forgotten', () => {
    const buckets = memoryBuckets()
    for (let count = 0; count < 60; count++) buckets.take('busy', write, startMs)
    for (let client = 0; client < 10_000; client++) buckets.take(`address ${client}`, write, startMs)
    expect(buckets.take('busy', write, startMs)).toMatchObject({ allowed: false })
  })

  const limits = fc.record({ sustained: fc.integer({ min: 1, max: 200 }), burst: fc.integer({ min: 1, max: 300 }) })

  test('in any stretch of time, no more than burst + sustained × time are admitted', () => {
    const steps = fc.array(
      fc.record({ waitMs: fc.integer({ min: 0, max: 2_000 }), tries: fc.integer({ min: 0, max: 150 }) }),
      { minLength: 1, maxLength: 40 },
    )
    fc.assert(
      fc.property(limits, steps, (limit, plan) => {
        const admitted = admittedAt(limit, plan)
        for (const [first, from] of admitted.entries()) {
          let count = 0
          for (const until of admitted.slice(first)) {
            count += until.count
            expect(count).toBeLessThanOrEqual(
              limit.burst + (limit.sustained * (until.nowMs - from.nowMs)) / 1_000 + 1e-6,
            )
          }
        }
      }),
    )
  })

  test('a caller that never lets the bucket fill gets every token it was promised', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 1, max: 50 }), (limit, waitMs) => {
        const perStep = (limit.sustained * waitMs) / 1_000
        fc.pre(limit.burst >= 1 + perStep)
        const plan = Array.from({ length: 100 }, () => ({ waitMs, tries: limit.burst + 1 }))
        const total = admittedAt(limit, plan).reduce((sum, { count }) => sum + count, 0)
        expect(total).toBeGreaterThanOrEqual(Math.floor(limit.burst + 99 * perStep - 1e-6))
      }),
    )
  })
})

function admittedAt(
  limit: Limit,
  plan: readonly { waitMs: number; tries: number }[],
): { nowMs: number; count: number }[] {
  const buckets = memoryBuckets()
  let nowMs = startMs
  return plan.map(({ waitMs, tries }) => {
    nowMs += waitMs
    const count = Array.from({ length: tries }, () => buckets.take('a', limit, nowMs)).filter(
      ({ allowed }) => allowed,
    ).length
    return { nowMs, count }
  })
}
