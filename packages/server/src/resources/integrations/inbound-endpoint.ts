// `POST /inbound/{connectionId}/{kind}`: takes what a provider sends. One commit writes it down, and the provider is
// answered at once; what it means is worked out afterwards.
import { integrationConnections, phoneNumbers } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { type InboundAnswer, type Told, UnreadableRequest } from '../../providers/provider.js'
import type { Change } from '../../store/change.js'
import { newId } from '../../store/id.js'
import { type Answer, answers } from '../../store/response.js'
import { inboundUrl } from './connections.js'
import { type AdmissionParts, admitInbound, type InboundSender } from './inbound-admission.js'
import { type LoggedRequest, logRequest } from './inbound-log.js'
import { INBOUND_LOGGED } from './inbound-queue.js'

export interface TakenRequest {
  readonly entryId: string
  readonly change: Change
  readonly answer: InboundAnswer
}

/** Writes a request down, as part of a change that answers it. */
export async function takeRequest(
  input: Pick<Input, 'read' | 'caller' | 'services' | 'now'>,
  { connection, provider, request }: InboundSender,
  isSimulated: boolean,
): Promise<TakenRequest> {
  const { caller, now } = input
  const reading = readRequest(() => provider.read?.(request))
  const answer = await answerOf(input, connection, reading.told)
  const entryId = newId(now)
  const logged: LoggedRequest = {
    id: entryId,
    tenantId: caller.tenantId,
    connectionId: connection.id,
    request,
    told: reading.told ?? { ids: {}, conversation: 'unreadable', naturalKey: null },
    decided: answer.decided ?? null,
    ...(reading.settled && { settled: reading.settled }),
    isSimulated,
    now,
  }
  const change = answers(answerFor(answer)).addStatement(logRequest(logged), 1, { recurs: true })
  return { entryId, answer, change: change.announce(INBOUND_LOGGED) }
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
  { read, services, now }: Pick<Input, 'read' | 'services' | 'now'>,
  { id, status }: Pick<InboundSender['connection'], 'id' | 'status'>,
  told: Told | undefined,
): Promise<InboundAnswer> {
  if (told?.answer === undefined) return { status: 204, contentType: null, body: null }
  const ours = told.answeringNumber ?? null
  const [number] = ours === null ? [] : await read.find(phoneNumbers, { e164: ours }, 1)
  const routing = number?.status === 'active' ? number.routing : null
  const urlOf = (kind: string) => inboundUrl(services, id, kind)
  return told.answer({ isPaused: status === 'paused', routing, now, urlOf })
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
      'The addresses are in `inboundUrls` of a connection. No key: the request is signed as its provider signs, over the public address.',
    tag: integrationConnections.label,
    returns: { status: [200, 204], schema: null, mediaTypes: ['text/xml'], description: 'Taken' },
    plainParams: ['connectionId', 'kind'],
    idempotent: false,
    receives: '*/*',
    admit: (input, request) => admitInbound(parts, input, request),
    async handle(input) {
      return (await takeRequest(input, input.received as InboundSender, false)).change
    },
  })
