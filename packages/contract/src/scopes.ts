// The three scopes of a key, each including the ones before it.

export const scopes = ['READ', 'WRITE', 'ADMIN'] as const
export type Scope = (typeof scopes)[number]

export const includesScope = (held: Scope, needed: Scope): boolean => scopes.indexOf(held) >= scopes.indexOf(needed)

export const environments = ['sandbox', 'production'] as const
/** The two environments of an organization; each is a tenant. */
export type Environment = (typeof environments)[number]

/** The word a key carries for its environment: `ak_test_…`, `ak_live_…`. */
export const keyWords = { sandbox: 'test', production: 'live' } as const satisfies Record<Environment, string>

export const roles = ['owner', 'agent', 'viewer'] as const
/** What a user is in an organization. */
export type Role = (typeof roles)[number]

/** What a role may do: an owner everything, an agent the daily work, a viewer nothing but look. */
export const scopeOfRole = { owner: 'ADMIN', agent: 'WRITE', viewer: 'READ' } as const satisfies Record<Role, Scope>
