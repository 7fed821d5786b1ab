// What a provider is to us: the shape of its connections, how its requests prove where they come from, and what they
// tell. A provider is a value in one table and a folder of its own; nothing here reaches the database.
import type { Field, integrationConnections, phoneNumbers, Row } from '@parley/contract'
import type { CarrierAdapter } from '../telephony/carrier.js'
import type { Step } from './step.js'

type Values = Readonly<Record<string, unknown>>

/** A connection as its provider sees it. */
export interface ProviderConnection {
  readonly id: string
  readonly config: Values
  readonly credentials: Values
}

/** A request as it came, before anything of it is believed. */
export interface InboundRequest {
  readonly kind: string
  /** The public address that was called, with its query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

export type Routing = NonNullable<Row<typeof phoneNumbers>['routing']>

/** What an answer may depend on. */
export interface AnswerContext {
  /** Nothing is done now; whoever waits for the answer should hear so. */
  readonly isPaused: boolean
  /** What is said of calls on the number that was called; null where nothing is. */
  readonly routing: Routing | null
  readonly now: Date
  /** The public address of another kind of the same connection. */
  readonly urlOf: (kind: string) => string
}

export interface InboundAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly body: string | null
  /** What was decided with it, for whoever works on the request later. */
  readonly decided?: string
}

/** What a request tells once its signature was found good. */
export interface Told {
  /** What the provider calls the things it tells of. */
  readonly ids: Readonly<Record<string, string>>
  /** Requests of one conversation are worked on in their order. */
  readonly conversation: string
  /** The same once more is a repetition; null for what may be said twice. */
  readonly naturalKey: string | null
  /** Why nothing comes of it. */
  readonly ignored?: string | undefined
  /** The number of ours that the answer depends on. */
  readonly answeringNumber?: string | null
  answer?(context: AnswerContext): InboundAnswer
  /** What is to be done, in order; the same for the same request and decision. */
  steps(decided: string | null): readonly Step[]
}

export interface InboundKind {
  readonly description: string
  readonly bytesMax: number
}

export type CheckResult = { readonly ok: boolean; readonly message: string }

export interface Provider {
  readonly label: string
  readonly connectionKind: Row<typeof integrationConnections>['kind']
  readonly config: Field<unknown>
  readonly credentials: Field<unknown>
  readonly inbound: Readonly<Record<string, InboundKind>>
  /** Whether the provider sent exactly this, lately where it says when. */
  verify?(request: InboundRequest, connection: ProviderConnection, now: Date): boolean
  /** It is of another account of the provider: refused, however well it is signed. */
  isForeign?(request: InboundRequest, connection: ProviderConnection): boolean
  /** Throws where it is not what the provider sends. */
  read?(request: InboundRequest): Told
  /** The credential without which a check has nothing to ask with. */
  readonly checkedCredential?: string
  /** Asks the cheapest thing that needs the credentials. */
  check?(connection: ProviderConnection, api: ProviderApi): Promise<CheckResult>
  /** The header that opens a file of this connection at the provider; undefined for an address that is not its own. */
  authorize?(address: URL, connection: ProviderConnection, api: Pick<ProviderApi, 'baseUrl'>): string | undefined
  /** How SMS go out through it. */
  carrier?(api: ProviderApi): CarrierAdapter
}

/** How a provider is asked: under an address that the operator sets, within a time. */
export interface ProviderApi {
  readonly baseUrl: string
  /** The address of a kind of a connection, such as the one for receipts. */
  readonly inboundUrl: (connectionId: string, kind: string) => string
  readonly ask: (path: string, request: ApiRequest, signal: AbortSignal) => Promise<ApiAnswer>
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface ApiAnswer {
  readonly status: number
  /** The parsed JSON; null when it is none, or more than anybody needs. */
  readonly json: unknown
}

/** It is signed, and still not what the provider is known to send. */
export class UnreadableRequest extends Error {
  override readonly name = 'UnreadableRequest'
}
