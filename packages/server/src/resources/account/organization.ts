// The caller's organization and the settings of its tenant.
import { organization, organizationUpdateBody, type TenantSettings } from '@parley/contract'
import { sql } from '../../database/sql.js'
import { type Caller, type Endpoint, endpoint } from '../../http/endpoint.js'
import { AUTH_CHANGED } from '../../http/gate/authenticate.js'
import { isCountry } from '../../http/telephone.js'
import { badRequest, notFound } from '../../store/api-error.js'
import type { Reader } from '../../store/reader.js'
import { json } from '../../store/response.js'

interface Found {
  readonly name: string
  readonly version: number
  readonly settings: Partial<TenantSettings>
}

async function findOrganization({ database, tenantId }: Reader): Promise<Found> {
  const [row] = await database.read<[string, number, Partial<TenantSettings>]>(
    sql`select o.name, t.version, t.settings from tenants t join organizations o on o.id = t.organization_id
      where t.id = ${tenantId}`,
  )
  if (row === undefined) throw notFound()
  return { name: row[0], version: row[1], settings: row[2] }
}

const present = (caller: Caller, name: string, settings: TenantSettings) => ({
  id: caller.organizationId,
  name,
  environment: caller.environment,
  apiEnabled: true,
  settings,
})

export const organizationEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/organization',
    scope: 'READ',
    operationId: 'getOrganization',
    summary: 'Get the organization of this key',
    tag: 'Organization',
    returns: { status: 200, schema: organization },
    async handle({ read, caller }) {
      const { name, settings } = await findOrganization(read)
      return json(200, present(caller, name, { ...caller.settings, ...settings }))
    },
  }),
  endpoint({
    method: 'PATCH',
    path: '/organization',
    scope: 'ADMIN',
    operationId: 'updateOrganization',
    summary: 'Change the organization or the settings of this tenant',
    tag: 'Organization',
    body: organizationUpdateBody,
    returns: { status: 200, schema: organization },
    async handle({ work, caller, body, now }) {
      const found = await findOrganization(work)
      const name = body.name ?? found.name
      if (name !== found.name && caller.environment !== 'production')
        throw badRequest('name', 'is changed with a live key only', 'live_key')
      const settings = { ...caller.settings, ...found.settings, ...body.settings }
      requireTimezone(settings.timezone)
      requireCountry(settings.defaultCountry)
      work.addStatement(
        sql`update tenants t set settings = ${JSON.stringify(settings)}, version = version + 1, updated_at = ${now}
          from not_a_replay where t.id = ${caller.tenantId} and t.version = ${found.version} returning 1`,
        1,
      )
      // The name belongs to both tenants: whoever does not change it must not write it back as it was.
      if (name !== found.name)
        work.addStatement(
          sql`update organizations o set name = ${name} from not_a_replay
            where o.id = ${caller.organizationId} returning 1`,
          1,
        )
      work.announce(AUTH_CHANGED, { organizationId: caller.organizationId, keyId: null })
      return json(200, present(caller, name, settings))
    },
  }),
]

function requireTimezone(timezone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone })
  } catch {
    throw badRequest('settings.timezone', 'must be an IANA time zone, for example Europe/Berlin', 'timezone')
  }
}

function requireCountry(code: string | null): void {
  if (code === null || isCountry(code)) return
  throw badRequest(
    'settings.defaultCountry',
    'must be the ISO 3166-1 alpha-2 code of a country with a telephone network, for example US',
    'country',
  )
}
