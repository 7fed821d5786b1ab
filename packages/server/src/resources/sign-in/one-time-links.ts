// Links that are good once: 256 random bits in the fragment of an address, which no server sees and no log keeps. Only
// their hash is stored. What a link is good for is for whoever takes it.
import type { LinkPurpose, Role } from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { hashSecret, isSecret, mintSecret } from '../../http/gate/user-sessions.js'
import { type ApiError, unprocessable } from '../../store/api-error.js'
import { newId } from '../../store/id.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** How long each is good for. */
export const linkLifetimesMs = {
  firstRun: 24 * hourMs,
  signIn: 15 * minuteMs,
  reset: hourMs,
  invitation: 7 * 24 * hourMs,
} as const

export interface LinkParts {
  readonly purpose: LinkPurpose
  readonly lifetimeMs: number
  readonly userId?: string
  readonly email?: string
  readonly role?: Role
  readonly organizationId?: string
  readonly createdBy?: string
}

export interface MadeLink {
  readonly id: string
  readonly url: string
  readonly expiresAt: Date
  /** The row, as one SELECT to insert from. */
  readonly insert: (from?: Sql) => Sql
}

export function makeLink(publicUrl: string, parts: LinkParts, now: Date): MadeLink {
  const { purpose, userId = null, email = null, role = null, organizationId = null, createdBy = null } = parts
  const { value, hash } = mintSecret()
  const id = newId(now)
  const expiresAt = new Date(now.getTime() + parts.lifetimeMs)
  return {
    id,
    url: `${publicUrl}/sign-in#${value}`,
    expiresAt,
    insert: (from = raw('')) => sql`insert into one_time_links
        (id, hash, purpose, user_id, email, role, organization_id, created_by, created_at, expires_at)
      select ${id}::uuid, ${hash}::bytea, ${purpose}, ${userId}::uuid, ${email}, ${role}, ${organizationId}::uuid,
        ${createdBy}::uuid, ${now}::timestamptz, ${expiresAt}::timestamptz ${from} returning 1`,
  }
}

/** The condition under which a link of this token is good, for `one_time_links l`. */
export function isGood(token: string, now: Date): Sql {
  const hash = isSecret(token) ? hashSecret(token) : null
  return sql`l.hash = ${hash}::bytea and l.used_at is null and l.expires_at > ${now}::timestamptz`
}

/** Says neither whether the link was used, voided or never made. */
export const linkSpent = (): ApiError =>
  unprocessable('link_spent', 'This link has been used, has expired or was withdrawn; ask for a new one')
