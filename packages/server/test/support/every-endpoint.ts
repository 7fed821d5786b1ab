// Asks the same of many endpoints, a few at a time, and tells which of them answered otherwise.
import { expect } from 'vitest'
import type { Endpoint } from '../../src/http/endpoint.js'
import { nameOf } from './endpoint-requests.js'
import type { Answer } from './service.js'

const AT_A_TIME = 8

/** Runs `work` for every item, at most eight at once, and keeps the order of the results. */
export async function eachOf<T, R>(items: readonly T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = new Array(items.length)
  let next = 0
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as T, index)
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, worker))
  return results
}

/** `check` throws where an endpoint breaks the promise; every offender is named, not only the first. */
export async function expectOfEach(
  endpoints: readonly Endpoint[],
  check: (endpoint: Endpoint) => Promise<void>,
): Promise<void> {
  expect(endpoints.length).toBeGreaterThan(0)
  const complaints = await eachOf(endpoints, async (endpoint) => {
    try {
      await check(endpoint)
      return []
    } catch (error) {
      return [`${nameOf(endpoint)}: ${(error as Error).message}`]
    }
  })
  expect(complaints.flat()).toEqual([])
}

/** A refusal in the one envelope of errors, with the request's id in header and body. */
export function expectRefusal(answer: Answer, status: number, code: string): void {
  expect(`${answer.status} ${answer.body?.error?.code}`, answer.text.slice(0, 500)).toBe(`${status} ${code}`)
  expect(answer.body.error.message).toMatch(/\S/)
  expect(answer.headers.get('x-request-id')).toMatch(/\S/)
  expect(answer.body.meta).toEqual({ requestId: answer.headers.get('x-request-id') })
  expect(Object.keys(answer.body)).toEqual(['error', 'meta'])
}
