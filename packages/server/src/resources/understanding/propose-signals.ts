// Signals that were heard: one of each kind a conversation, whoever noticed it first.
import { signalEvents } from '@parley/contract'
import type { FoundSignal } from '../../extraction/understanding.js'
import type { Work } from '../../store/work.js'
import { addSignalEvent } from '../knowledge/signals.js'
import { evidenceOf, type Spoken, type SpokenCall } from './spoken.js'

const KNOWN_MAX = 500

export async function proposeSignals(
  work: Work,
  spoken: Spoken | SpokenCall,
  found: readonly FoundSignal[],
  extractor: string,
): Promise<void> {
  if (found.length === 0) return
  const { callId, messageId, personId } = spoken
  const known = callId === null ? [] : await work.find(signalEvents, { callSessionId: callId }, KNOWN_MAX)
  const kinds = new Set(known.map(({ kind }) => kind))
  const workRecordId = 'call' in spoken ? spoken.call.workRecordId : null
  for (const { kind, confidence, evidence } of found) {
    if (kinds.has(kind)) continue
    const links = { callSessionId: callId, messageId, personId, workRecordId }
    const details = { extractor }
    await addSignalEvent(work, { kind, confidence, details, ...links, evidence: evidenceOf(spoken, evidence) })
  }
}
