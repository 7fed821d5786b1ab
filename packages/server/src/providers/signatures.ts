// Comparing signatures: in the same time whatever the difference is, so that nobody learns one by trying.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Hashed first, because texts of different lengths cannot be compared in constant time. */
export function isSame(sent: string | undefined, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(sent ?? ''), hash(expected)) && sent !== undefined
}

/** Looks at every candidate, whichever fits. */
export const isAnyOf = (sent: string | undefined, expected: readonly string[]): boolean =>
  expected.reduce((found, one) => isSame(sent, one) || found, false)

export const hmacHex = (secret: string, ...parts: readonly (string | Buffer)[]): string =>
  parts.reduce((hmac, part) => hmac.update(part), createHmac('sha256', secret)).digest('hex')

/** Whether a time that was signed lies within the window, in either direction. */
export const isRecent = (atMs: number, now: Date, windowMs: number): boolean =>
  Number.isFinite(atMs) && Math.abs(now.getTime() - atMs) <= windowMs

/** The credentials of a connection that were sealed as texts. */
export function secretOf(credentials: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = credentials[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
