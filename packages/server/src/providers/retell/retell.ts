// Retell: that a call started, that it ended, and what its analysis found.
import { described, limits, object, text } from '@parley/contract'
import { type AgentReport, begunSteps, endedSteps, learned, numbered, whyNoCall } from '../agent-report.js'
import { bearerOf, checkKey } from '../check-key.js'
import { Json } from '../payload.js'
import { type InboundRequest, type Provider, type Told, UnreadableRequest } from '../provider.js'
import { hmacHex, isRecent, isSame, secretOf } from '../signatures.js'
import type { SpokenSegment } from '../step.js'

const VENDOR = 'retell'
const WINDOW_MS = 5 * 60_000

/** `v=<milliseconds>,d=<digest>`: an HMAC of the body and the time, under the API key. */
function isFromRetell({ headers, body }: InboundRequest, apiKey: string, now: Date): boolean {
  const [, timestamp = '', digest = ''] = /^v=(\d+),d=([0-9a-f]+)$/.exec(headers['x-retell-signature'] ?? '') ?? []
  const isSigned = isSame(digest, hmacHex(apiKey, body, timestamp))
  return isSigned && isRecent(Number(timestamp || Number.NaN), now, WINDOW_MS)
}

export const retell: Provider = {
  label: 'Retell',
  connectionKind: 'voice_ai',
  config: object({}),
  credentials: object({ apiKey: described(text(), 'The API key that has the webhook badge in the dashboard.') }),
  inbound: { webhook: { description: 'The webhook URL of an agent or of the account', bytesMax: limits.inboundBytes } },
  verify(request, { credentials }, now) {
    const apiKey = secretOf(credentials, 'apiKey')
    return apiKey !== undefined && isFromRetell(request, apiKey, now)
  },
  read: ({ body }) => told(Json.parse(body)),
  checkedCredential: 'apiKey',
  check: (connection, api) => checkKey(api, { label: 'Retell', path: '/list-agents', headers: bearerOf(connection) }),
}

const events = ['call_started', 'call_ended', 'call_analyzed']

function told(payload: Json): Told {
  const event = payload.at('event').text
  const call = payload.at('call')
  const callId = call.at('call_id').text
  if (event === undefined) throw new UnreadableRequest('event is missing')
  if (events.includes(event) && callId === undefined) throw new UnreadableRequest('call.call_id is missing')
  const report = reportOf(call, callId ?? '')
  return {
    ids: callId === undefined ? {} : { callId, ...(report.callSid && { callSid: report.callSid }) },
    conversation: `call ${callId ?? 'none'}`,
    naturalKey: events.includes(event) ? `${event} ${callId}` : null,
    ignored: events.includes(event) ? whyNoCall(report) : `Parley takes ${events.join(', ')}, not ${event}`,
    steps: () => (event === 'call_started' ? begunSteps(report, 'in_progress') : endedSteps(report, endOf(call))),
  }
}

function reportOf(call: Json, callId: string): AgentReport {
  const cents = call.at('call_cost', 'combined_cost').number
  return {
    vendor: VENDOR,
    callId,
    callSid: call.at('telephony_identifier', 'twilio_call_sid').text,
    direction: call.at('direction').text === 'outbound' ? 'outbound' : 'inbound',
    from: call.at('from_number').text,
    to: call.at('to_number').text,
    startedAt: call.at('start_timestamp').instant,
    agentName: call.at('agent_name').text ?? call.at('agent_id').text,
    cost: cents === undefined ? undefined : { usd: Math.round(cents * 100) / 10_000 },
  }
}

function endOf(call: Json) {
  const analysis = call.at('call_analysis')
  const durationMs = call.at('duration_ms').number
  return {
    endedAt: call.at('end_timestamp').instant,
    durationSeconds: durationMs === undefined ? undefined : durationMs / 1_000,
    endReason: call.at('disconnection_reason').text,
    summary: analysis.at('call_summary').text,
    sentiment: analysis.at('user_sentiment').text,
    segments: segmentsOf(call.at('transcript_object').items),
    facts: analysis.at('custom_analysis_data').entries.flatMap(([key, value]) => learned(VENDOR, key, value)),
    recordingUrl: call.at('recording_url').text,
  }
}

const speakers: Readonly<Record<string, SpokenSegment['speaker']>> = {
  agent: 'ai',
  user: 'caller',
  transfer_target: 'third_party',
}

function segmentsOf(utterances: readonly Json[]): SpokenSegment[] {
  const spoken = utterances.flatMap((one) => {
    const speaker = speakers[one.at('role').text ?? '']
    const said = one.at('content').text
    if (speaker === undefined || said === undefined) return []
    const words = one.at('words').items
    const [start, end] = [words[0]?.at('start').number, words.at(-1)?.at('end').number]
    const inMs = (seconds: number | undefined) => (seconds === undefined ? undefined : Math.round(seconds * 1_000))
    return [{ speaker, text: said.trim(), startMs: inMs(start) ?? 0, endMs: inMs(end) ?? null }]
  })
  return numbered(spoken)
}
