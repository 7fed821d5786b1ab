// ElevenLabs: what it sends after a call, the transcript with its analysis, and the audio.
import { described, limits, object, optional, text } from '@parley/contract'
import { type AgentReport, endedSteps, learned, namesOf, numbered, whyNoCall } from '../agent-report.js'
import { checkKey } from '../check-key.js'
import { firstOf, Json } from '../payload.js'
import { type InboundRequest, type Provider, type Told, UnreadableRequest } from '../provider.js'
import { hmacHex, isAnyOf, isRecent, secretOf } from '../signatures.js'
import type { SpokenSegment } from '../step.js'

const VENDOR = 'elevenlabs'
const WINDOW_MS = 30 * 60_000

/** `t=<seconds>,v0=<digest>`: an HMAC of the time and the body, under the secret of the webhook. */
function isFromElevenLabs({ headers, body }: InboundRequest, secret: string, now: Date): boolean {
  const parts = (headers['elevenlabs-signature'] ?? '').split(',').map((part) => part.trim().split('='))
  const timestamp = parts.find(([name]) => name === 't')?.[1] ?? ''
  const sent = parts.filter(([name]) => name === 'v0').map(([, digest]) => digest)
  const expected = hmacHex(secret, `${timestamp}.`, body)
  const isSigned = sent.some((digest) => isAnyOf(digest, [expected]))
  return isSigned && isRecent(Number(timestamp || Number.NaN) * 1_000, now, WINDOW_MS)
}

export const elevenLabs: Provider = {
  label: 'ElevenLabs',
  connectionKind: 'voice_ai',
  config: object({}),
  credentials: object({
    webhookSecret: described(text(), 'The secret that was shown when the post-call webhook was made.'),
    apiKey: optional(described(text(), 'An API key, for the check alone.')),
  }),
  inbound: { 'post-call': { description: 'The post-call webhook', bytesMax: limits.inboundAudioBytes } },
  verify(request, { credentials }, now) {
    const secret = secretOf(credentials, 'webhookSecret')
    return secret !== undefined && isFromElevenLabs(request, secret, now)
  },
  read: ({ body }) => told(Json.parse(body)),
  checkedCredential: 'apiKey',
  check({ credentials }, api) {
    const headers = { 'xi-api-key': secretOf(credentials, 'apiKey') ?? '' }
    return checkKey(api, { label: 'ElevenLabs', path: '/v1/user', headers })
  },
}

function told(payload: Json): Told {
  const type = payload.at('type').text
  const data = payload.at('data')
  const callId = data.at('conversation_id').text
  if (type === undefined) throw new UnreadableRequest('type is missing')
  const isTranscript = type === 'post_call_transcription'
  const isAudio = type === 'post_call_audio'
  if ((isTranscript || isAudio) && callId === undefined) throw new UnreadableRequest('data.conversation_id is missing')
  const report = reportOf(data, callId ?? '')
  const unknown = `Parley takes post_call_transcription and post_call_audio, not ${type}`
  return {
    ids: callId === undefined ? {} : { conversationId: callId, ...(report.callSid && { callSid: report.callSid }) },
    // The audio waits for its call, and must not keep the transcript waiting that makes it.
    conversation: `${isAudio ? 'audio' : 'call'} ${callId ?? 'none'}`,
    naturalKey: isTranscript || isAudio ? `${type} ${callId}` : null,
    ignored: isTranscript ? whyNoCall(report) : isAudio ? undefined : unknown,
    steps: () => (isAudio ? audioSteps(report, data) : endedSteps(report, endOf(data))),
  }
}

function audioSteps(report: AgentReport, data: Json) {
  const base64 = data.at('full_audio').text
  if (base64 === undefined) return []
  return [{ kind: 'recording' as const, call: namesOf(report), source: { base64, mediaType: 'audio/mpeg' } }]
}

function reportOf(data: Json, callId: string): AgentReport {
  const metadata = data.at('metadata')
  const phone = metadata.at('phone_call')
  const variables = data.at('conversation_initiation_client_data', 'dynamic_variables')
  const isOutbound = phone.at('direction').text === 'outbound'
  const theirs = firstOf(phone.at('external_number').text, variables.at('system__caller_id').text)
  const ours = firstOf(phone.at('agent_number').text, variables.at('system__called_number').text)
  const startSeconds = metadata.at('start_time_unix_secs').number
  const credits = metadata.at('cost').number
  return {
    vendor: VENDOR,
    callId,
    callSid: firstOf(phone.at('call_sid').text, variables.at('system__call_sid').text),
    direction: isOutbound ? 'outbound' : 'inbound',
    from: isOutbound ? ours : theirs,
    to: isOutbound ? theirs : ours,
    startedAt: startSeconds === undefined ? undefined : new Date(startSeconds * 1_000).toISOString(),
    agentName: firstOf(data.at('agent_name').text, data.at('agent_id').text),
    cost: credits === undefined ? undefined : { credits },
  }
}

function endOf(data: Json) {
  const metadata = data.at('metadata')
  const analysis = data.at('analysis')
  const seconds = metadata.at('call_duration_secs').number
  const start = metadata.at('start_time_unix_secs').number
  const endedAt =
    start === undefined || seconds === undefined ? undefined : new Date((start + seconds) * 1_000).toISOString()
  return {
    endedAt,
    durationSeconds: seconds,
    endReason: metadata.at('termination_reason').text,
    summary: analysis.at('transcript_summary').text,
    segments: segmentsOf(data.at('transcript').items),
    facts: analysis
      .at('data_collection_results')
      .entries.flatMap(([key, result]) => learned(VENDOR, key, result.at('value'), result.at('rationale').text)),
  }
}

const speakers: Readonly<Record<string, SpokenSegment['speaker']>> = { agent: 'ai', user: 'caller' }

function segmentsOf(turns: readonly Json[]): SpokenSegment[] {
  const spoken = turns.flatMap((turn) => {
    const speaker = speakers[turn.at('role').text ?? '']
    const said = turn.at('message').text
    if (speaker === undefined || said === undefined) return []
    return [{ speaker, text: said, startMs: Math.round((turn.at('time_in_call_secs').number ?? 0) * 1_000) }]
  })
  return numbered(spoken)
}
