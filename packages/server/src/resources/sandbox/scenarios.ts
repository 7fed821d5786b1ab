// A scenario as a list of steps in time: what telephony, a speech recogniser and an extractor would send while a script
// is played. Plain data, but for the endpoints that the steps go through.
import type { Scenario, ScriptName } from '@parley/contract'
import { addFacts, addSegments, finishCall } from '../calls/call-subresources.js'
import { updateCall } from '../calls/calls.js'
import type { Act } from '../generic/invoke-endpoint.js'
import { createSignalEvent } from '../knowledge/signals.js'
import { type Script, type ScriptLine, scripts } from './scripts.js'

/** Something that happens so many seconds after the beginning, in the time of the script. */
export interface Step {
  readonly atSeconds: number
  readonly act: Act
}

const RING_SECONDS = 3
const UNANSWERED_SECONDS = 20

/** What follows the ringing of a call. */
export function stepsOf(scenario: Scenario, name: ScriptName, callId: string): Step[] {
  const script: Script = scripts[name]
  const params = { id: callId }
  if (scenario === 'missed_call')
    return [{ atSeconds: UNANSWERED_SECONDS, act: { endpoint: finishCall, params, body: { endReason: 'no_answer' } } }]
  if (scenario === 'voicemail')
    return [{ atSeconds: UNANSWERED_SECONDS, act: { endpoint: finishCall, params, body: { endReason: 'voicemail' } } }]
  if (scenario === 'inbound_sms') return []
  const isIntake = scenario === 'full_intake'
  const talk = talkSteps(script, callId, isIntake)
  const seconds = script.lines.reduce((sum, line) => sum + line.seconds, 0)
  const end = {
    duration: seconds,
    endReason: 'caller_hangup',
    summary: script.summary,
    ...(isIntake && { draft: script.draft }),
  }
  return [
    {
      atSeconds: RING_SECONDS,
      act: { endpoint: updateCall, params, body: { status: 'in_progress', handledBy: handlerOf(script) } },
    },
    ...talk,
    { atSeconds: RING_SECONDS + seconds, act: { endpoint: finishCall, params, body: end } },
  ]
}

const handlerOf = ({ lines }: Script) =>
  lines.some(({ speaker }) => speaker === 'agent')
    ? { type: 'human', agentName: 'Ana' }
    : { type: 'ai', agentName: 'Parley assistant' }

/** Each line is heard in part, then whole; what is learned from it follows. */
function talkSteps({ lines }: Script, callId: string, isIntake: boolean): Step[] {
  let startSeconds = 0
  return lines.flatMap((line, sequence) => {
    const start = startSeconds
    startSeconds += line.seconds
    const heard = { sequence, speaker: line.speaker, startMs: start * 1_000 }
    const interim = { ...heard, text: firstHalf(line.text), isFinal: false }
    const final = { ...heard, text: line.text, endMs: startSeconds * 1_000, confidence: 0.96, isFinal: true }
    const at = (seconds: number, act: Act): Step => ({ atSeconds: RING_SECONDS + seconds, act })
    const params = { id: callId }
    return [
      at(start + line.seconds / 2, { endpoint: addSegments, params, body: { segments: [interim] } }),
      at(startSeconds, { endpoint: addSegments, params, body: { segments: [final] } }),
      ...(isIntake
        ? learned(line, callId, start * 1_000, startSeconds * 1_000).map((act) => at(startSeconds, act))
        : []),
    ]
  })
}

const firstHalf = (text: string): string => {
  const words = text.split(' ')
  return words.slice(0, Math.ceil(words.length / 2)).join(' ')
}

function learned(
  { facts = [], signal, text, speaker }: ScriptLine,
  callId: string,
  startMs: number,
  endMs: number,
): Act[] {
  const evidence = [{ callSessionId: callId, quote: text, startMs, endMs, speaker }]
  const bodies = facts.map(([key, value, confidence]) => ({
    key,
    value,
    confidence,
    extractor: 'sandbox simulator',
    evidence,
  }))
  return [
    ...(bodies.length > 0 ? [{ endpoint: addFacts, params: { id: callId }, body: { facts: bodies } }] : []),
    ...(signal
      ? [{ endpoint: createSignalEvent, params: {}, body: { ...signal, callSessionId: callId, evidence } }]
      : []),
  ]
}
