// `POST /inbound/{connectionId}/{kind}`: takes what a provider sends. One commit writes it down, and the provider is
// answered at once; what it means is worked out afterwards.
import { integrationConnections, phoneNumbers } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { type InboundAnswer, type Told, UnreadableRequest } from '../../providers/provider.js'
import { newId } from '../../store/id.js'
import type { Answer } from '../../store/response.js'
import { inboundUrl } from './connections.js'
import { type AdmissionParts, admitInbound, type InboundSender } from './inbound-admission.js'
import { type LoggedRequest, logRequest } from './inbound-log.js'
import { INBOUND_LOGGED } from './inbound-queue.js'

export interface TakenRequest {
  readonly entryId: string
  readonly answer: InboundAnswer
}

/** Writes a request down, in the commit that answers it. */
export async function takeRequest(
  input: Pick<Input, 'work' | 'services'>,
  { connection, provider, request }: InboundSender,
  isSimulated: boolean,
): Promise<TakenRequest> {
  const { tenantId, now } = input.work
  const reading = readRequest(() => provider.read?.(request))
  const answer = await answerOf(input, connection, reading.told)
  const entryId = newId(now)
  const logged: LoggedRequest = {
    id: entryId,
    tenantId,
    connectionId: connection.id,
    request,
    told: reading.told ?? { ids: {}, conversation: 'unreadable', naturalKey: null },
    decided: answer.decided ?? null,
    ...(reading.settled && { settled: reading.settled }),
    isSimulated,
    now,
  }
  input.work.addStatement(logRequest(logged), 1, { recurs: true })
  input.work.announce(INBOUND_LOGGED)
  return { entryId, answer }
}

interface Reading {
  readonly told?: Told
  readonly settled?: LoggedRequest['settled']
}

/** What cannot be read was still sent by the provider: it is kept, for whoever wants to know why. */
function readRequest(read: () => Told | undefined): Reading {
  try {
    const told = read()
    if (told === undefined) return {}
    return told.ignored === undefined ? { told } : { told, settled: { status: 'ignored', error: told.ignored } }
  } catch (error) {
    if (!(error instanceof UnreadableRequest)) throw error
    return { settled: { status: 'failed', error: error.message } }
  }
}

async function answerOf(
  { work, services }: Pick<Input, 'work' | 'services'>,
  { id, status }: Pick<InboundSender['connection'], 'id' | 'status'>,
  told: Told | undefined,
): Promise<InboundAnswer> {
  if (told?.answer === undefined) return { status: 204, contentType: null, body: null }
  const ours = told.answeringNumber ?? null
  const [number] = ours === null ? [] : await work.find(phoneNumbers, { e164: ours }, 1)
  const routing = number?.status === 'active' ? number.routing : null
  const urlOf = (kind: string) => inboundUrl(services, id, kind)
  return told.answer({ isPaused: status === 'paused', routing, now: work.now, urlOf })
}

const answerFor = ({ status, contentType, body }: InboundAnswer): Answer => ({
  status,
  body,
  ...(contentType !== null && { headers: { 'content-type': contentType } }),
})

export const inboundEndpoint = (parts: AdmissionParts): Endpoint =>
  endpoint({
    method: 'POST',
    path: '/inbound/{connectionId}/{kind}',
    scope: 'none',
    operationId: 'receiveInbound',
    summary: 'For providers: tell what happened',
    description:
      'The addresses are in `inboundUrls` of a connection. No key: the request is signed as its ' +
      'provider signs, over the public address. The body is what the provider sends, a form or JSON.',
    tag: integrationConnections.label,
    returns: {
      status: [200, 204],
      schema: null,
      mediaTypes: ['text/xml'],
      examples: { 'text/xml': '<Response><Say>Thank you for calling.</Say></Response>' },
      description: 'Taken, with what the provider is to do.',
    },
    plainParams: ['connectionId', 'kind'],
    idempotent: false,
    receives: 'application/octet-stream',
    admit: (input, request) => admitInbound(parts, input, request),
    async handle(input) {
      return answerFor((await takeRequest(input, input.received as InboundSender, false)).answer)
    },
  })
