// What an endpoint is: path, scope, shapes and handler in one value, from which routes, OpenAPI, documents and the
// security tests follow.
import {
  annotationsOf,
  type Body,
  type Field,
  isObject,
  itemsOf,
  type PlatformScope,
  propertiesOf,
  type Scope,
} from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Blobs } from '../store/blobs.js'
import type { Caller } from '../store/caller.js'
import type { ListReader } from '../store/list-reader.js'
import type { Survivors } from '../store/merged-ids.js'
import type { Lookup, Stored } from '../store/reader.js'
import type { Answer } from '../store/response.js'
import type { Sealer } from '../store/secret-box.js'
import type { Work } from '../store/work.js'
import type { UserSession } from './gate/user-sessions.js'
import { RawResponse } from './raw-response.js'
import type { Streams } from './sse.js'

export type { Caller } from '../store/caller.js'

type Sent = Record<string, unknown>
type Query = Readonly<Record<string, unknown>>
type Params = Readonly<Record<string, string>>

/** One request, as its handler sees it. `B` is its body, `Q` its query, `P` the parameters of its path. */
export interface BaseInput<B = Sent, Q = Query, P = Params> {
  readonly caller: Caller
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly now: Date
  readonly requestId: string
  /** The versions named by `If-Match`; undefined when the header is absent. */
  readonly ifMatch: readonly number[] | undefined
  readonly sealer: Sealer
  readonly services: Services
  /** What the endpoint's own `receive` made of the body's bytes. */
  readonly received?: unknown
  /** Who is there, at endpoints of our own pages. */
  readonly visitor?: Visitor | undefined
}

/** What a GET is given: it reads. */
export interface ReadInput<B = Sent, Q = Query, P = Params> extends BaseInput<B, Q, P> {
  readonly read: ListReader
}

/** What every other method is given: it reads and writes through its work, which is committed once it has answered. */
export interface Input<B = Sent, Q = Query, P = Params> extends BaseInput<B, Q, P> {
  readonly work: Work
  /**
   * Nothing has to become true together with what the handler does, such as the answer to an Idempotency-Key: it may
   * write by itself, and answer when that is done.
   */
  readonly isAlone?: boolean
}

/** Who is there, signed in or not, as far as it can be told. */
export interface Visitor {
  readonly session: UserSession | undefined
  readonly address: string
  readonly userAgent: string | undefined
  readonly isSecure: boolean
  readonly cookies: string | undefined
}

/** What handlers need of the server that runs them. */
export interface Services {
  /** Where clients reach the service, without a slash at the end. */
  readonly publicUrl: () => string
  readonly blobs: Blobs
  readonly streams: Streams
}

export interface QueryParameter<S extends TSchema = TSchema> {
  /** That of an array takes a comma list. */
  readonly schema: S
  readonly required?: boolean
  readonly description?: string
  /** Other spellings of a value that are accepted. */
  readonly accept?: (text: string) => string
}

export type QueryParameters = Readonly<Record<string, QueryParameter>>

/** The query of a request to an endpoint that takes these parameters. */
export type QueryOf<Q extends QueryParameters> = {
  readonly [K in keyof Q]: Q[K] extends { readonly required: true }
    ? Static<Q[K]['schema']>
    : Static<Q[K]['schema']> | undefined
}

/** `/tasks/{id}` has a parameter `id`. */
type ParamsOf<Path extends string> = string extends Path ? Params : { readonly [Name in NamesIn<Path>]: string }
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

type AnySchema = Field<unknown> | TSchema | null

export interface Returns<S extends AnySchema = AnySchema, A extends AnySchema = AnySchema> {
  readonly status: number | readonly number[]
  readonly schema: S
  /** What a 202 carries, where that is something else. */
  readonly accepted?: A
  readonly description?: string
  /** The media types it may come in, where they are not just JSON. The schema is that of the JSON one. */
  readonly mediaTypes?: readonly string[]
  /** What comes back in a media type that is no JSON, for the documents. */
  readonly examples?: Readonly<Record<string, string>>
}

/** Who acts, and what `admit` made of the body. */
export interface Admitted<T = unknown> {
  readonly caller: Caller
  readonly received: T
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export interface Endpoint {
  readonly method: Method
  /** Relative to /api/v1 or /platform/v1, parameters as `{name}`. */
  readonly path: string
  /** `any` key, or a scope; `user`: anybody who is signed in, without a key; `none` needs no credentials. */
  readonly scope: Scope | 'any' | 'user' | 'none'
  /** At the platform API: what a platform key needs; then `scope` is `any`. */
  readonly platformScope?: PlatformScope
  /** For our own pages: told who is signed in, if anyone; writes come from the same origin alone. */
  readonly isForPages?: boolean
  /** Of users and what they may see: kept in the directory, wherever the organization lives. */
  readonly isOfAccounts?: boolean
  /** Of what belongs to the organization and not to one of its tenants: a key of the sandbox may not write it. */
  readonly isOrganizationWide?: boolean
  /** Stable name in OpenAPI and the SDK, such as `listTasks`. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly query?: QueryParameters
  readonly body?: Body
  /** The success status and what it carries. */
  readonly returns: Returns
  /** Which parameters of the path must be UUIDs; anything else there is a 404. All of them unless said otherwise. */
  readonly plainParams?: readonly string[]
  /** How large its body may be, where it may be larger than others. */
  readonly bodyBytes?: number
  /** How many items its body has, where each counts against the tenant's bucket of items. */
  readonly itemsIn?: (body: Record<string, unknown>) => number
  /** What its handler is going to look up for a body, so that it can be fetched for many bodies at once. */
  readonly looksUp?: (body: Record<string, unknown>) => readonly (readonly Lookup[])[]
  /** How a list shows its rows, where that is not as they are stored. */
  readonly presents?: (rows: readonly Stored[], input: ReadInput) => string[] | Promise<string[]>
  /** Takes an Idempotency-Key; every write does unless it says otherwise. */
  readonly idempotent?: boolean
  /** Takes the next number of a counter, which is used up then: looks for its idempotency key before. */
  readonly takesNumber?: boolean
  /** A rule may ask for more than `scope`, by the tenant's settings. */
  readonly raisedScope?: (caller: Caller) => Scope | undefined
  /**
   * Takes a body that is no JSON, before the handler and once, whatever races the handler loses. What it returns is the
   * handler's `received`.
   */
  readonly receive?: (input: ReadInput, request: FastifyRequest) => Promise<unknown>
  /**
   * For requests without a key that prove by themselves where they come from, as the signature of a provider does: says
   * who acts, or refuses. It reads the body, and the query is its own affair.
   */
  readonly admit?: (input: ReadInput, request: FastifyRequest) => Promise<Admitted>
  /** The media types that `receive` takes, such as `audio/*`. */
  readonly receives?: string | readonly string[]
  /**
   * The path is the credential: wrong ones count as failed authentications, and each is good for a few requests a
   * second.
   */
  readonly holdsSecret?: boolean
  /** Bytes that go out as they are. */
  readonly compress?: false
  /** Run by `handleRead` and `handleWrite`: the handler of a GET is really given a `ReadInput`. */
  readonly handle: (input: Input) => Promise<Answer<unknown> | RawResponse>
}

type Carried<S extends AnySchema, Otherwise> = S extends TSchema ? Static<S> : Otherwise

/** An endpoint as it is written down: its handler knows body, query, parameters and answer by their schemas. */
type Definition<
  M extends Method,
  Path extends string,
  Q extends QueryParameters,
  B,
  S extends AnySchema,
  A extends AnySchema = null,
> = Omit<Endpoint, 'method' | 'path' | 'query' | 'body' | 'returns' | 'handle' | 'receive'> & {
  readonly method: M
  readonly path: Path
  readonly query?: Q
  readonly body?: Body<B>
  readonly returns: Returns<S, A>
  readonly receive?: (input: ReadInput<B, QueryOf<Q>, ParamsOf<Path>>, request: FastifyRequest) => Promise<unknown>
  readonly handle: (
    input: [M] extends ['GET'] ? ReadInput<B, QueryOf<Q>, ParamsOf<Path>> : Input<B, QueryOf<Q>, ParamsOf<Path>>,
  ) => Promise<Answer<Carried<S, unknown> | Carried<A, never>> | RawResponse>
}

/** In the table of endpoints they are all of one type: what a handler is given has been checked against its schemas. */
export const endpoint = <
  M extends Method,
  const Path extends string,
  Q extends QueryParameters = QueryParameters,
  B = Sent,
  S extends AnySchema = AnySchema,
  A extends AnySchema = null,
>(
  definition: Definition<M, Path, Q, B, S, A>,
): Endpoint => definition as unknown as Endpoint

/**
 * An endpoint of our own pages, where a tenant has no part: there is no work, and what its handler writes, it writes by
 * itself.
 */
export const pageEndpoint = <
  const Path extends string,
  Q extends QueryParameters = QueryParameters,
  B = Sent,
  S extends AnySchema = AnySchema,
>(
  definition: Omit<Definition<'GET', Path, Q, B, S>, 'method'> & { readonly method: Method },
): Endpoint => definition as unknown as Endpoint

/** Runs the handler of a GET, and of whatever has no tenant. */
export const handleRead = ({ handle }: Endpoint, input: ReadInput): ReturnType<Endpoint['handle']> =>
  handle(input as BaseInput as Input)

/** Runs the handler of any other method. It answers in JSON: what is written raw is read. */
export async function handleWrite({ handle, operationId, body }: Endpoint, input: Input): Promise<Answer<unknown>> {
  const { survivors } = input.work
  const isRenamed = survivors.size > 0 && body !== undefined
  const answer = await handle(isRenamed ? { ...input, body: renamed(body.schema, input.body, survivors) } : input)
  if (answer instanceof RawResponse) throw new Error(`${operationId} writes, so it must answer in JSON`)
  return answer
}

/** A body in which every reference to a merged record names the one that it was merged into. */
const renamed = (schema: TSchema, body: Sent, survivors: Survivors): Sent =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, renamedIn(schema, name, value, survivors)]))

function renamedIn(holder: TSchema, name: string, value: unknown, survivors: Survivors): unknown {
  const schema = propertiesOf(holder)?.[name] ?? {}
  if (typeof value === 'string')
    return annotationsOf(schema)['x-references'] === undefined ? value : (survivors.get(value) ?? value)
  const items = itemsOf(schema)
  if (Array.isArray(value) && items)
    return value.map((item: unknown) => (isObject(item) ? renamed(items, item, survivors) : item))
  return isObject(value) && propertiesOf(schema) ? renamed(schema, value, survivors) : value
}
