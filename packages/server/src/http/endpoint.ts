// What an endpoint is: path, scope, shapes and handler in one value, from which routes, OpenAPI, documents and the
// security tests follow.
import type { Body, Environment, Field, Scope, TenantSettings } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Blobs } from '../store/blobs.js'
import type { Change } from '../store/change.js'
import type { Reader } from '../store/reader.js'
import type { Answer } from '../store/response.js'
import type { Sealer } from '../store/secret-box.js'
import type { RawResponse } from './raw-response.js'
import type { Streams } from './sse.js'

/** Who asks, in which environment of which organization. */
export interface Caller {
  readonly tenantId: string
  readonly organizationId: string
  readonly organizationName: string
  readonly environment: Environment
  readonly scope: Scope
  /** The key or the user that acts; `approvedBy`, `confirmedBy` and the history name it. */
  readonly actor: { readonly type: 'key' | 'user' | 'system'; readonly id: string }
  readonly settings: TenantSettings
}

type Sent = Record<string, unknown>
type Query = Readonly<Record<string, unknown>>
type Params = Readonly<Record<string, string>>

/** One request, as its handler sees it. `B` is its body, `Q` its query, `P` the parameters of its path. */
export interface Input<B = Sent, Q = Query, P = Params> {
  readonly read: Reader
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
  /**
   * Nothing has to become true together with what the handler does, such as the answer to an Idempotency-Key: it may
   * write by itself, and answer when that is done.
   */
  readonly isAlone?: boolean
  /** What the endpoint's own `receive` made of the body's bytes. */
  readonly received?: unknown
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

export interface Returns {
  readonly status: number | readonly number[]
  readonly schema: Field<unknown> | TSchema | null
  readonly description?: string
  /** The media types it may come in, where they are not just JSON. The schema is that of the JSON one. */
  readonly mediaTypes?: readonly string[]
  /** What comes back in a media type that is no JSON, for the documents. */
  readonly examples?: Readonly<Record<string, string>>
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export interface Endpoint {
  readonly method: Method
  /** Relative to /api/v1, parameters as `{name}`. */
  readonly path: string
  /** `any` key, or a scope; `none` needs no credentials. */
  readonly scope: Scope | 'any' | 'none'
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
  /** Takes an Idempotency-Key; every write does unless it says otherwise. */
  readonly idempotent?: boolean
  /** A rule may ask for more than `scope`, by the tenant's settings. */
  readonly raisedScope?: (caller: Caller) => Scope | undefined
  /**
   * Takes a body that is no JSON, before the handler and once, whatever races the handler loses. What it returns is the
   * handler's `received`.
   */
  readonly receive?: (input: Input, request: FastifyRequest) => Promise<unknown>
  /** The media types that `receive` takes, such as `audio/*`. */
  readonly receives?: string | readonly string[]
  /**
   * The path is the credential: wrong ones count as failed authentications, and each is good for a few requests a
   * second.
   */
  readonly holdsSecret?: boolean
  /** Bytes that go out as they are. */
  readonly compress?: false
  readonly handle: (input: Input) => Promise<Answer | Change | RawResponse>
}

/** An endpoint as it is written down: its handler knows body, query and parameters by their schemas. */
type Definition<Path extends string, Q extends QueryParameters, B> = Omit<
  Endpoint,
  'path' | 'query' | 'body' | 'handle' | 'receive'
> & {
  readonly path: Path
  readonly query?: Q
  readonly body?: Body<B>
  readonly receive?: (input: Input<B, QueryOf<Q>, ParamsOf<Path>>, request: FastifyRequest) => Promise<unknown>
  readonly handle: (input: Input<B, QueryOf<Q>, ParamsOf<Path>>) => Promise<Answer | Change | RawResponse>
}

/** In the table of endpoints they are all of one type: what a handler is given has been checked against its schemas. */
export const endpoint = <const Path extends string, Q extends QueryParameters = QueryParameters, B = Sent>(
  definition: Definition<Path, Q, B>,
): Endpoint => definition as unknown as Endpoint
