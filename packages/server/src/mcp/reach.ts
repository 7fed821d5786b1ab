// What agents reach of the API, taken from the table of endpoints. What is not named here has no tool: keys, members,
// secrets, connections, webhooks, exports and the platform are nobody's tools, whatever the key may do elsewhere.
import { type Entity, entities } from '@parley/contract'
import type { Endpoint, Method } from '../http/endpoint.js'
import { badRequest } from '../store/api-error.js'

export interface Reach {
  /** Whose lists are searched and whose records are read. */
  readonly found: readonly Entity[]
  /** Whose records an agent that writes by itself may make or change. */
  readonly created: readonly string[]
  readonly updated: readonly string[]
  /** What is there about one record besides itself, such as `timeline`. */
  readonly parts: readonly string[]
  /** What is decided on drafts and facts, such as `approve`. */
  readonly decisions: readonly string[]
  endpoint(method: Method, path: string): Endpoint | undefined
}

/** What a person at a desk would write down. Calls and voicemails are reported by telephony, not by an agent. */
const written = [
  'people',
  'customers',
  'companies',
  'parties',
  'locations',
  'contact-methods',
  'work-records',
  'tasks',
  'notes',
  'appointments',
  'money-records',
  'conversations',
  'drafts',
  'facts',
]
/** What they read besides. */
const readOnly = [
  'calls',
  'sms',
  'messages',
  'voicemails',
  'signals',
  'signal-events',
  'signal-definitions',
  'fact-definitions',
  'work-type-definitions',
  'workflow-runs',
  'phone-numbers',
  'external-refs',
  'field-values',
  'field-history-entries',
]
const parts = ['timeline', 'duplicates', 'transcript', 'surface']
const decided = ['drafts', 'facts']
const decisions = ['submit', 'approve', 'reject', 'reopen', 'confirm', 'promote']

export function reachOf(endpoints: readonly Endpoint[]): Reach {
  const byPath = new Map(endpoints.map((one) => [`${one.method} ${one.path}`, one]))
  const has = (method: Method, path: string) => byPath.has(`${method} ${path}`)
  const found = entities.filter(({ slug }) => [...written, ...readOnly].includes(slug) && has('GET', `/${slug}`))
  return {
    found,
    created: written.filter((slug) => has('POST', `/${slug}`)),
    updated: written.filter((slug) => has('PATCH', `/${slug}/{id}`)),
    parts: parts.filter((part) => found.some(({ slug }) => has('GET', `/${slug}/{id}/${part}`))),
    decisions: decisions.filter((action) => decided.some((slug) => has('POST', `/${slug}/{id}/${action}`))),
    endpoint: (method, path) => byPath.get(`${method} ${path}`),
  }
}

/** The endpoint that a tool needs; `field` is the argument that would have to be another where there is none. */
export function requireEndpoint({ endpoint }: Reach, method: Method, path: string, field: string): Endpoint {
  const known = endpoint(method, path)
  if (known === undefined) throw badRequest(field, 'is not there for this entity; see describe', 'enum')
  return known
}
