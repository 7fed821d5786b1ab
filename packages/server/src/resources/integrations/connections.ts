// Connections to other systems. Config and credentials of a provider that we know are checked against its own shape;
// credentials go in and never come out. What is read shows the addresses to paste into the provider.
import { type Body, type Field, integrationConnections, type Row } from '@parley/contract'
import { bodyShaper } from '../../http/body-validation.js'
import type { Endpoint, Input, ReadInput, Services } from '../../http/endpoint.js'
import { type Provider, type ProviderConnection } from '../../providers/provider.js'
import { providerNamed } from '../../providers/table.js'
import { badRequest } from '../../store/api-error.js'
import type { Reader, Stored } from '../../store/reader.js'
import type { Answer } from '../../store/response.js'
import type { Sealer } from '../../store/secret-box.js'
import { crud, type Rules } from '../generic/crud.js'
import { listEndpoint } from '../generic/list.js'
import { prefixIssues } from '../generic/nested-issues.js'
import { previewOf } from '../generic/sealed-fields.js'
import { INBOUND_LOGGED } from './inbound-queue.js'
import { requireModelAddress } from './model-address.js'

export type Connection = Row<typeof integrationConnections>
type Values = Record<string, unknown>

/** The address of one kind of a connection, as the provider must call it. */
export const inboundUrl = ({ publicUrl }: Pick<Services, 'publicUrl'>, connectionId: string, kind: string): string =>
  `${publicUrl()}/api/v1/inbound/${connectionId}/${kind}`

/** A connection with its secrets, for whoever speaks to the provider. */
export async function openConnection(
  read: Reader,
  sealer: Sealer,
  { id, config }: Connection,
): Promise<ProviderConnection> {
  const sealed = await read.sealed(integrationConnections, id)
  return { id, config, credentials: credentialsIn(sealer, sealed) }
}

export function credentialsIn(sealer: Sealer, sealed: Buffer | null | undefined): Values {
  const opened: Values | null = sealed ? JSON.parse(sealer.open(sealed)) : null
  return opened ?? {}
}

const rulesFor = (modelUrls: readonly string[]): Rules<typeof integrationConnections> => ({
  async complete(input, wanted, before) {
    const { body, caller } = input
    const sent = body['credentials'] as Values | null | undefined
    const credentialsPreview = sent === undefined ? (before?.credentialsPreview ?? null) : sent && previewOf(sent)
    const provider = providerNamed(wanted.provider)
    const connection = { ...wanted, credentialsPreview, lastError: lastErrorOf(wanted, before) }
    if (provider === undefined) return connection
    const isOther = before === undefined || before.provider !== wanted.provider
    if (isOther || body['config'] !== undefined)
      await prefixIssues('config', () => requireShape(provider.config, wanted.config, caller.settings))
    if (isOther || sent !== undefined)
      await prefixIssues('credentials', () => requireShape(provider.credentials, sent ?? {}, caller.settings))
    requireBothOfKey(sent)
    requireModelAddress(wanted, before, sent, modelUrls)
    return { ...connection, kind: kindOf(provider, body, wanted) }
  },
  after({ work, record, before }) {
    // What came in while it was paused waits for this.
    if (before?.status === 'paused' && record?.status !== 'paused') work.announce(INBOUND_LOGGED)
  },
})

/** Whoever says that it works, or is to be tried, knows more than the last failure. */
const lastErrorOf = (wanted: Connection, before: Connection | undefined): string | null =>
  before !== undefined && before.status !== wanted.status && wanted.status !== 'error' ? null : wanted.lastError

function requireShape(schema: Field<unknown>, value: Values, settings: Input['caller']['settings']): void {
  const body: Body = { schema: schema as Field<Values>, ignored: [], aliases: {}, required: true }
  bodyShaper(body)(value, settings)
}

/** Half of an API key opens nothing. */
function requireBothOfKey(sent: Values | null | undefined): void {
  for (const [one, other] of [
    ['apiKeySid', 'apiKeySecret'],
    ['apiKeySecret', 'apiKeySid'],
  ] as const)
    if (sent?.[one] !== undefined && sent[other] === undefined)
      throw badRequest(`credentials.${other}`, `is required with ${one}`, 'required')
}

function kindOf(provider: Provider, body: Values, { kind, provider: name }: Connection): Connection['kind'] {
  if (body['kind'] !== undefined && kind !== provider.connectionKind)
    throw badRequest('kind', `must be ${provider.connectionKind} for ${name}, or left out`, 'enum')
  return provider.connectionKind
}

/** The record as it is stored, with the addresses of what its provider sends. */
function presented(text: string, services: Services): string {
  const { id, provider }: Connection = JSON.parse(text)
  const kinds = Object.keys(providerNamed(provider)?.inbound ?? {})
  const inboundUrls = Object.fromEntries(kinds.map((kind) => [kind, inboundUrl(services, id, kind)]))
  return `${text.slice(0, -1)},"inboundUrls":${JSON.stringify(inboundUrls)}}`
}

const presentedAnswer = (answer: Answer<unknown>, services: Services): Answer<unknown> =>
  answer.body === null || answer.status >= 300
    ? answer
    : { ...answer, body: presented(answer.body, services), isComposed: true }

/** The same endpoint, answering with the addresses as well. */
const presenting = (one: Endpoint): Endpoint => ({
  ...one,
  async handle(input) {
    const answer = await one.handle(input)
    return 'body' in answer ? presentedAnswer(answer, input.services) : answer
  },
})

const presentRows = (rows: readonly Stored[], { services }: ReadInput) =>
  rows.map(({ text }) => presented(text, services))

/** `modelUrls` are the addresses of models that the operator allows. */
export function connectionEndpoints(modelUrls: readonly string[]): Endpoint[] {
  const byVerb = crud(integrationConnections, rulesFor(modelUrls))
  return [
    listEndpoint(integrationConnections, presentRows),
    ...[byVerb.get, byVerb.create, byVerb.patch, byVerb.put].map(presenting),
    byVerb.delete,
  ]
}
