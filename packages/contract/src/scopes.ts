// The three scopes of a key, each including the ones before it.

export const scopes = ['READ', 'WRITE', 'ADMIN'] as const
export type Scope = (typeof scopes)[number]

export const includesScope = (held: Scope, needed: Scope): boolean => scopes.indexOf(held) >= scopes.indexOf(needed)

export const environments = ['sandbox', 'production'] as const
/** The two environments of an organization; each is a tenant. */
export type Environment = (typeof environments)[number]

/** The word a key carries for its environment: `ak_test_…`, `ak_live_…`. */
export const keyWords = { sandbox: 'test', production: 'live' } as const satisfies Record<Environment, string>
