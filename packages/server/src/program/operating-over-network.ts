// The operator's commands over the platform API of a service elsewhere.
import { randomUUID } from 'node:crypto'
import type { ApiKey, PlatformOrganization } from '@parley/contract'
import { StartupError } from '../database/startup-error.js'
import { PLATFORM_PATH } from '../platform/mount-platform.js'
import { timeOf } from '../store/id.js'
import type { KeyToRevoke, Operating } from './operating.js'
import type { KeyDetail, OrganizationDetail } from './organizations.js'

const TIMEOUT_MS = 30_000
const PAGE = 100

/** What every answer may hold instead of what was asked for. */
interface Refused {
  readonly error?: {
    readonly message: string
    readonly details?: { readonly reason?: string; readonly organizationId?: string }
  }
}

type Ask = <T>(method: string, path: string, body?: object) => Promise<{ status: number; body: T & Refused }>

export function operatingOverNetwork(baseUrl: string, key: string): Operating {
  const ask = asking(baseUrl.replace(/\/+$/, '') + PLATFORM_PATH, key)
  const patch = async (id: string, body: object) => (await ask('PATCH', `/organizations/${id}`, body)).status === 200
  const keysPath = (id: string) => `/organizations/${id}/api-keys`
  return {
    async createOrganization(name, isForced, shard) {
      if (shard !== undefined) throw new StartupError('--shard works on the database: leave out --url.')
      const sent = { name, allowSameName: isForced }
      const { id, error } = (await ask<PlatformOrganization>('POST', '/organizations', sent)).body
      return error ? { kind: 'taken', id: error.details?.organizationId ?? '', name } : { kind: 'made', id }
    },
    async listOrganizations({ name, after, limit }) {
      const query = {
        sort: 'createdAt',
        ...(name !== undefined && { q: name }),
        ...(after !== undefined && { createdSince: timeOf(after).toISOString() }),
      }
      const found = await pages<PlatformOrganization>(
        ask,
        '/organizations',
        query,
        limit,
        (one) => one.id > (after ?? ''),
      )
      return found.map(({ id, name: its, apiEnabled, environments, createdAt }) => ({
        id,
        name: its,
        apiEnabled,
        activeKeys: environments.reduce((sum, { activeKeys }) => sum + activeKeys, 0),
        createdAt,
      }))
    },
    async showOrganization(id) {
      const { status, body } = await ask<PlatformOrganization>('GET', `/organizations/${id}`)
      return status === 200 ? detailOf(body) : undefined
    },
    homeOf: async () => undefined,
    setEnabled: (id, apiEnabled) => patch(id, { apiEnabled }),
    setLimits: (id, changes, isReset) =>
      patch(id, { limits: { ...(isReset && { read: null, write: null, items: null }), ...defined(changes) } }),
    async mintKey({ organizationId, ...key }) {
      const { status, body } = await ask<{ key: string }>('POST', keysPath(organizationId), key)
      return status === 201 ? body.key : undefined
    },
    async listKeys({ organizationId, environment, isAll, now }) {
      const query = environment === undefined ? {} : { environment }
      const isShown = (one: ApiKey) => isAll || isLive(one, now)
      return (await pages<ApiKey>(ask, keysPath(organizationId), query, KEYS_MAX, isShown)).map(keyOf)
    },
    async revokeKey(wanted) {
      const { organizationId } = wanted
      if (organizationId === undefined)
        throw new StartupError(
          'With --url, say whose key it is: --org <id>. List its keys with: parley-server keys list',
        )
      const matches = await pages<ApiKey>(ask, keysPath(organizationId), {}, KEYS_MAX, (one) => isMeant(one, wanted))
      const [known, other] = matches
      if (known === undefined || other !== undefined) return undefined
      const { id, name, revokedAt } = known
      if (revokedAt !== null) return { id, name, revokedAt, wasRevoked: true }
      await ask('DELETE', `${keysPath(organizationId)}/${id}`)
      return { id, name, revokedAt: new Date().toISOString(), wasRevoked: false }
    },
  }
}

const KEYS_MAX = 10_000

const isLive = ({ revokedAt, expiresAt }: ApiKey, now: Date): boolean =>
  revokedAt === null && (expiresAt === null || new Date(expiresAt) > now)

/** Of a key itself its ends are known there: eight characters that nobody guesses. */
const isMeant = ({ id, prefix, last4 }: ApiKey, wanted: KeyToRevoke): boolean =>
  'id' in wanted ? id === wanted.id : wanted.key.startsWith(prefix) && wanted.key.endsWith(last4)

function keyOf(key: ApiKey): KeyDetail {
  const { createdAt: _, agentWrites: __, ...detail } = key
  return detail
}

const detailOf = ({ limits, ...organization }: PlatformOrganization): OrganizationDetail => ({
  ...organization,
  limits: defined(limits),
})

/** Without what is null or not said. */
const defined = <T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  JSON.parse(JSON.stringify(values, (_, value) => value ?? undefined))

interface Page<T> {
  readonly data: readonly T[]
  readonly pagination: { readonly nextCursor: string | null }
}

/** Of a list, as many as are wanted of those that fit. */
async function pages<T>(
  ask: Ask,
  path: string,
  query: Record<string, string>,
  most: number,
  fits: (one: T) => boolean,
): Promise<T[]> {
  const found: T[] = []
  for (let cursor: string | null = ''; cursor !== null && found.length < most; ) {
    const parameters = new URLSearchParams({ ...query, limit: String(PAGE), ...(cursor && { cursor }) })
    const { status, body } = await ask<Page<T>>('GET', `${path}?${parameters}`)
    if (status === 404) return []
    found.push(...body.data.filter(fits))
    cursor = body.pagination.nextCursor
  }
  return found.slice(0, most)
}

/** Answers that a command can make something of come back; all others end it with a line that says why. */
function asking(base: string, key: string): Ask {
  return async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(base + path, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new StartupError(`${base} does not answer (${reasonOf(error)}). Is it running, and is --url right?`)
    })
    const answer = parsed<T>(await response.text())
    refuseOthers(base, response.status, answer)
    return { status: response.status, body: answer }
  }
}

function parsed<T>(text: string): T & Refused {
  try {
    return JSON.parse(text)
  } catch {
    return JSON.parse('{}')
  }
}

function refuseOthers(base: string, status: number, { error }: Refused): void {
  if (status < 300 || error?.details?.reason === 'name_taken') return
  if (status === 404 && error !== undefined && error.message !== 'No such path') return
  if (status === 404)
    throw new StartupError(`There is no platform API at ${base}: is --url right, and does a platform key work there?`)
  throw new StartupError(`${base} refused: ${error?.message ?? 'no reason given'} (${status}).`)
}

const reasonOf = ({ cause, message }: Error): string =>
  cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : message
