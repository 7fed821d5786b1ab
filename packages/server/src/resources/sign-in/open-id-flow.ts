// What a browser carries from the start of a sign-in at the provider to its end: encrypted, in a cookie of the callback
// alone, and for ten minutes.
import type { Visitor } from '../../http/endpoint.js'
import { readCookie } from '../../http/gate/session.js'
import type { Sealer } from '../../store/secret-box.js'
import type { Checks } from './open-id-provider.js'

export interface Flow {
  readonly checks: Checks
  /** The invitation to accept. */
  readonly token: string | undefined
  /** The user who wants to sign in this way from now on. */
  readonly linkUserId: string | undefined
  readonly returnTo: string
  readonly expiresMs: number
}

export const CALLBACK_PATH = '/sign-in/callback'
export const FLOW_MS = 10 * 60_000
const FLOW_COOKIE = '__sign_in'

const cookie = (value: string, seconds: number, isSecure: boolean): string =>
  `${FLOW_COOKIE}=${value}; Path=${CALLBACK_PATH}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

export const flowCookie = (sealer: Sealer, flow: Flow, isSecure: boolean): string =>
  cookie(sealer.seal(JSON.stringify(flow)).toString('base64url'), FLOW_MS / 1_000, isSecure)

export const clearedFlowCookie = (isSecure: boolean): string => cookie('', 0, isSecure)

/** Undefined for none, for a forged one, and for one that is too old. */
export function readFlow(sealer: Sealer, { cookies }: Visitor, now: Date): Flow | undefined {
  const value = readCookie(cookies, FLOW_COOKIE)
  if (value === undefined) return undefined
  try {
    const flow: Flow = JSON.parse(sealer.open(Buffer.from(value, 'base64url')))
    return flow.expiresMs > now.getTime() ? flow : undefined
  } catch {
    return undefined
  }
}

/** A path of ours, and no address of another site in disguise. */
export const isLocalPath = (text: string): boolean => /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)
