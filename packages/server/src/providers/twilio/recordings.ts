// What Twilio tells of recordings and of what was said: voicemails, recorded calls, and transcripts live or afterwards.
import { limits } from '@parley/contract'
import { type Told, UnreadableRequest } from '../provider.js'
import type { CallNames, Step } from '../step.js'
import { callerOf, numberIn } from './callers.js'
import { callNames, callSteps, conversationOf, secondsIn } from './calls.js'
import { type Form, requiredField } from './sms.js'
import { goodbye } from './twiml.js'

/** The caller has finished the message. An empty recording is no message. */
export function leftVoicemail(form: Form): Told {
  const call = callNames(requiredField(form, 'CallSid'))
  const recording = form['RecordingSid'] ?? ''
  return {
    ids: { CallSid: call.providerCallId, ...(recording && { RecordingSid: recording }) },
    conversation: conversationOf(form),
    naturalKey: recording === '' ? null : `voicemail ${recording}`,
    answer: goodbye,
    steps: () => [...callSteps(form), ...voicemailSteps(form, call)],
  }
}

export function recordingStatus(form: Form): Told {
  const call = callNames(requiredField(form, 'CallSid'))
  const sid = requiredField(form, 'RecordingSid')
  const status = (form['RecordingStatus'] ?? 'completed').toLowerCase()
  const isVoicemail = form['RecordingSource'] === 'RecordVerb'
  return {
    ids: { CallSid: call.providerCallId, RecordingSid: sid },
    conversation: conversationOf(form),
    naturalKey: `recording ${sid} ${status}`,
    ignored: status === 'completed' || status === 'absent' ? undefined : `The recording is ${status}`,
    steps: () => (isVoicemail ? voicemailSteps(form, call) : callRecording(form, call)),
  }
}

function voicemailSteps(form: Form, call: CallNames): Step[] {
  const durationSeconds = secondsIn(form['RecordingDuration'])
  const recordingUrl = form['RecordingUrl'] && playable(form['RecordingUrl'])
  const isEmpty = form['RecordingStatus'] === 'absent' || durationSeconds === 0 || !recordingUrl
  if (isEmpty)
    return [{ kind: 'end', call, body: { outcome: 'missed' }, unless: ({ voicemailId }) => voicemailId !== null }]
  return [
    {
      kind: 'voicemail',
      call,
      recording: { system: 'twilio', externalId: requiredField(form, 'RecordingSid') },
      body: { ...whoLeftIt(form), recordingUrl, ...(durationSeconds !== undefined && { durationSeconds }) },
    },
    { kind: 'end', call, body: { outcome: 'voicemail' } },
  ]
}

/** Twilio's address without an ending is of the uncompressed audio, ten times as large. */
const playable = (url: string): string => (/\.\w{3,4}$/.test(url) ? url : `${url}.mp3`)

/** Recording callbacks do not say who called; then the call does. */
function whoLeftIt(form: Form): Readonly<Record<string, unknown>> {
  if (form['From'] === undefined) return {}
  return { callerNumber: callerOf(form['From']).from, to: numberIn(form['To']) }
}

const callRecording = (form: Form, call: CallNames): Step[] =>
  form['RecordingUrl'] && form['RecordingStatus'] !== 'absent'
    ? [{ kind: 'recording', call, source: { url: playable(form['RecordingUrl']) } }]
    : []

/** Real-time transcription and the transcript of a voicemail come to the same address. */
export const transcriptionReport = (form: Form): Told =>
  form['TranscriptionEvent'] === undefined ? voicemailTranscript(form) : liveTranscript(form)

function liveTranscript(form: Form): Told {
  const call = callNames(requiredField(form, 'CallSid'))
  const event = requiredField(form, 'TranscriptionEvent')
  const sequence = requiredField(form, 'SequenceId')
  const isContent = event === 'transcription-content'
  const isFinal = (form['Final'] ?? 'true').toLowerCase() === 'true'
  return {
    ids: {
      CallSid: call.providerCallId,
      ...(form['TranscriptionSid'] && { TranscriptionSid: form['TranscriptionSid'] }),
    },
    conversation: conversationOf(form),
    naturalKey: `transcription ${form['TranscriptionSid'] ?? call.providerCallId} ${sequence} ${isFinal}`,
    ignored: isContent ? (isFinal ? undefined : 'A part of a sentence; the whole follows') : whyNoContent(form, event),
    steps: () => segmentSteps(form, call, Number(sequence)),
  }
}

const whyNoContent = (form: Form, event: string): string =>
  event === 'transcription-error' ? `Twilio: ${form['TranscriptionError'] ?? 'the transcription failed'}` : event

function segmentSteps(form: Form, call: CallNames, sequence: number): Step[] {
  const { transcript, confidence } = spoken(form['TranscriptionData'])
  if (transcript === '') return []
  const segment = {
    sequence,
    // The inbound track is what the other side says, whichever way the call goes.
    speaker: form['Track'] === 'outbound_track' ? ('agent' as const) : ('caller' as const),
    text: [...transcript].slice(0, limits.segmentLength).join(''),
    startMs: { at: form['Timestamp'] ?? '' },
    confidence,
  }
  return [{ kind: 'segments', call, segments: [segment] }]
}

function spoken(data: string | undefined): { transcript: string; confidence: number | null } {
  try {
    const { transcript, confidence }: { transcript?: unknown; confidence?: unknown } = JSON.parse(data ?? '{}')
    const isSure = typeof confidence === 'number' && confidence >= 0 && confidence <= 1
    return {
      transcript: typeof transcript === 'string' ? transcript.trim() : '',
      confidence: isSure ? confidence : null,
    }
  } catch {
    throw new UnreadableRequest('TranscriptionData is not valid JSON')
  }
}

function voicemailTranscript(form: Form): Told {
  const sid = requiredField(form, 'RecordingSid')
  const call = form['CallSid'] ? callNames(form['CallSid']) : null
  const status = form['TranscriptionStatus'] ?? 'completed'
  const text = form['TranscriptionText']?.trim() ?? ''
  return {
    ids: { RecordingSid: sid, ...(form['CallSid'] && { CallSid: form['CallSid'] }) },
    conversation: call === null ? `recording ${sid}` : conversationOf(form),
    naturalKey: `transcript ${sid} ${status}`,
    ignored: status === 'completed' && text !== '' ? undefined : 'Twilio could not transcribe the recording',
    steps: () => [
      {
        kind: 'voicemail',
        call,
        recording: { system: 'twilio', externalId: sid },
        body: { ...whoLeftIt(form), transcript: [...text].slice(0, limits.textLength).join('') },
      },
    ],
  }
}
