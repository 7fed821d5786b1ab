// Vapi: its status updates and its report at the end of a call.
import { described, limits, object, optional, text } from '@parley/contract'
import { type AgentReport, begunSteps, endedSteps, learned, numbered, whyNoCall } from '../agent-report.js'
import { bearerOf, checkKey } from '../check-key.js'
import { firstOf, Json } from '../payload.js'
import { type InboundRequest, type Provider, type Told, UnreadableRequest } from '../provider.js'
import { hmacHex, isAnyOf, isRecent, isSame, secretOf } from '../signatures.js'
import type { SpokenSegment } from '../step.js'

const VENDOR = 'vapi'
const WINDOW_MS = 5 * 60_000

/**
 * The secret of the server as it is, in a header of Vapi's own or as a bearer token; or, where a credential of the kind
 * HMAC is set up there, a signature over time and body in the headers that Vapi takes unless told otherwise.
 */
function isFromVapi({ headers, body }: InboundRequest, secret: string, now: Date): boolean {
  const bearer = headers['authorization']?.replace(/^bearer /i, '')
  const isShown = [isSame(headers['x-vapi-secret'], secret), isSame(bearer, secret)].some(Boolean)
  return isShown || isSigned({ headers, body }, secret, now)
}

function isSigned({ headers, body }: Pick<InboundRequest, 'headers' | 'body'>, secret: string, now: Date): boolean {
  const signature = (headers['x-vapi-signature'] ?? headers['x-signature'])?.replace(/^sha256=/, '')
  const timestamp = headers['x-vapi-timestamp'] ?? headers['x-timestamp']
  if (signature === undefined || timestamp === undefined) return false
  const atMs = Number(timestamp) * (Number(timestamp) < 1e12 ? 1_000 : 1)
  const expected = hmacHex(secret, `${timestamp}.`, body)
  return (
    isAnyOf(signature, [expected, Buffer.from(expected, 'hex').toString('base64')]) && isRecent(atMs, now, WINDOW_MS)
  )
}

export const vapi: Provider = {
  label: 'Vapi',
  connectionKind: 'voice_ai',
  config: object({}),
  credentials: object({
    serverSecret: described(text(), 'The secret of the server URL, or of the credential that signs requests to it.'),
    apiKey: optional(described(text(), 'A private API key, for the check alone.')),
  }),
  inbound: {
    server: { description: 'The server URL of an assistant, number or organization', bytesMax: limits.inboundBytes },
  },
  verify(request, { credentials }, now) {
    const secret = secretOf(credentials, 'serverSecret')
    return secret !== undefined && isFromVapi(request, secret, now)
  },
  read: ({ body }) => told(Json.parse(body).at('message')),
  checkedCredential: 'apiKey',
  check: (connection, api) =>
    checkKey(api, {
      label: 'Vapi',
      path: '/assistant?limit=1',
      headers: bearerOf(connection),
      whenRefused: 'take a private one',
    }),
}

function told(message: Json): Told {
  const type = message.at('type').text
  const callId = message.at('call', 'id').text
  if (type === undefined) throw new UnreadableRequest('message.type is missing')
  const status = message.at('status').text ?? ''
  const report = callId === undefined ? undefined : reportOf(message, callId)
  const isKnown = type === 'end-of-call-report' || type === 'status-update'
  return {
    ids: callId === undefined ? {} : { callId, ...(report?.callSid && { callSid: report.callSid }) },
    conversation: `call ${callId ?? 'none'}`,
    naturalKey: isKnown && callId !== undefined ? `${type} ${callId} ${status}` : null,
    ignored: !isKnown
      ? `Parley takes end-of-call-report and status-update, not ${type}`
      : report === undefined
        ? 'The message names no call'
        : whyNoCall(report),
    steps: () => (report === undefined ? [] : stepsOf(message, report, type, status)),
  }
}

function stepsOf(message: Json, report: AgentReport, type: string, status: string) {
  if (type === 'end-of-call-report') return endedSteps(report, endOf(message))
  // The report tells the end, and more of it; of a call that it does not come for nobody knows more than this.
  if (status === 'ended') return []
  return begunSteps(report, status === 'in-progress' || status === 'forwarding' ? 'in_progress' : 'ringing')
}

function reportOf(message: Json, callId: string): AgentReport {
  const call = message.at('call')
  const isOutbound = call.at('type').text === 'outboundPhoneCall'
  const theirs = firstOf(message.at('customer', 'number').text, call.at('customer', 'number').text)
  const ours = firstOf(message.at('phoneNumber', 'number').text, call.at('phoneNumber', 'number').text)
  const isTwilio = (call.at('phoneCallProvider').text ?? 'twilio') === 'twilio'
  const cost = firstOf(message.at('cost').number, call.at('cost').number)
  return {
    vendor: VENDOR,
    callId,
    callSid: isTwilio ? firstOf(call.at('phoneCallProviderId').text, call.at('transport', 'callSid').text) : undefined,
    direction: isOutbound ? 'outbound' : 'inbound',
    from: isOutbound ? ours : theirs,
    to: isOutbound ? theirs : ours,
    startedAt: firstOf(message.at('startedAt').instant, call.at('startedAt').instant, call.at('createdAt').instant),
    agentName: firstOf(message.at('assistant', 'name').text, call.at('assistant', 'name').text),
    cost: cost === undefined ? undefined : { usd: cost },
  }
}

function endOf(message: Json) {
  const artifact = message.at('artifact')
  const seconds = message.at('durationSeconds').number
  const [from, to] = [message.at('startedAt').instant, message.at('endedAt').instant]
  const measured = from !== undefined && to !== undefined ? (Date.parse(to) - Date.parse(from)) / 1_000 : undefined
  return {
    endedAt: to,
    durationSeconds: seconds ?? measured,
    endReason: message.at('endedReason').text,
    summary: firstOf(message.at('analysis', 'summary').text, message.at('summary').text),
    segments: segmentsOf(
      firstOf(...[artifact.at('messages'), message.at('messages')].filter(({ items }) => items.length > 0)),
    ),
    facts: [
      ...message.at('analysis', 'structuredData').entries.flatMap(([key, value]) => learned(VENDOR, key, value)),
      ...artifact
        .at('structuredOutputs')
        .entries.flatMap(([, output]) => learned(VENDOR, output.at('name').text ?? '', output.at('result'))),
    ],
    recordingUrl: firstOf(
      artifact.at('recordingUrl').text,
      artifact.at('recording', 'mono', 'combinedUrl').text,
      message.at('recordingUrl').text,
    ),
  }
}

const speakers: Readonly<Record<string, SpokenSegment['speaker']>> = { bot: 'ai', assistant: 'ai', user: 'caller' }

/** Instructions and calls of tools are nothing that anybody said. */
function segmentsOf(messages: Json | undefined): SpokenSegment[] {
  const spoken = (messages?.items ?? []).flatMap((one) => {
    const speaker = speakers[one.at('role').text ?? '']
    const said = one.at('message').text
    if (speaker === undefined || said === undefined) return []
    const startMs = Math.round((one.at('secondsFromStart').number ?? 0) * 1_000)
    const durationMs = one.at('duration').number
    return [{ speaker, text: said, startMs, endMs: durationMs === undefined ? null : startMs + Math.round(durationMs) }]
  })
  return numbered(spoken)
}
