// The bytes of answers that wait for clients to read them, counted for each tenant and in all. A tenant whose clients
// do not read is refused before anything is read for it; the others are served as ever.
import type { ServerResponse } from 'node:http'
import { unavailable } from '../store/api-error.js'

export interface UnsentLimits {
  readonly bytesPerTenant: number
  /** Of all tenants together; then those that hold more than an equal share are refused. */
  readonly bytes: number
}

export interface Unsent {
  /** Refuses a tenant that has too much waiting already. */
  requireRoom(tenantId: string): void
  /** Counts an answer until it is sent or its client is gone. */
  hold(tenantId: string, bytes: number, response: ServerResponse): void
  add(tenantId: string, bytes: number): void
  settle(tenantId: string, bytes: number): void
}

/** Less than this the system takes at once, so it is not worth counting. */
const HELD_FROM_BYTES = 16 * 1024
const RETRY_AFTER_SECONDS = 5

export function createUnsent(limits: UnsentLimits): Unsent {
  const waiting = new Map<string, number>()
  let total = 0
  const change = (tenantId: string, bytes: number) => {
    const own = (waiting.get(tenantId) ?? 0) + bytes
    total += bytes
    if (own > 0) waiting.set(tenantId, own)
    else waiting.delete(tenantId)
  }
  const unsent: Unsent = {
    requireRoom(tenantId) {
      const own = waiting.get(tenantId) ?? 0
      if (own < limits.bytesPerTenant && (total < limits.bytes || own < total / waiting.size)) return
      throw unavailable(
        'Too many answers to this organization wait to be read; read them or close their connections',
        RETRY_AFTER_SECONDS,
      )
    },
    hold(tenantId, bytes, response) {
      if (bytes < HELD_FROM_BYTES || response.destroyed) return
      change(tenantId, bytes)
      response.once('close', () => change(tenantId, -bytes))
    },
    add: change,
    settle: (tenantId, bytes) => change(tenantId, -bytes),
  }
  return unsent
}
