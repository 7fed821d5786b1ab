// Signals: every detection is kept as a signal event, and one that is sure enough makes a signal and fires it.
import { type Row, signalDefinitions, signalEvents, signals } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { badRequest } from '../../store/api-error.js'
import type { Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { crud, endpointsOf, type Rules } from '../generic/crud.js'
import { writeRefs } from '../generic/external-ref-rows.js'
import { newRecord, requireComplete } from '../generic/record-values.js'
import { requireReferences } from '../generic/reference-checks.js'
import { titleOf } from '../work/work-type-definitions.js'

export type SignalEvent = Row<typeof signalEvents>
type SignalDefinition = Row<typeof signalDefinitions>

/**
 * Keeps a detection, and fires its signal when it is sure enough. `body` has the shape of `createBody(signalEvents)`.
 */
export async function addSignalEvent(work: Work, body: Record<string, unknown>): Promise<SignalEvent> {
  const event = await withDefinition(work, newRecord(signalEvents, work, body))
  requireComplete(signalEvents, event)
  await requireReferences(work, signalEvents, body, event)
  work.insert(signalEvents, event)
  await writeRefs(work, signalEvents, undefined, event)
  await fireIfSure(work, event, undefined)
  return event
}

/** The event under the definition of its kind, which need not exist. */
async function withDefinition(work: Work, event: SignalEvent): Promise<SignalEvent> {
  const named = event.signalDefinitionId ? await work.get(signalDefinitions, event.signalDefinitionId) : undefined
  if (named && named.key !== event.kind)
    throw badRequest('signalDefinitionId', `is the definition of ${named.key}, not of ${event.kind}`, 'contradiction')
  const definition = named ?? (await definitionOfKind(work, event.kind))
  return {
    ...event,
    signalDefinitionId: event.signalDefinitionId ?? definition?.id ?? null,
    detectedAt: event.detectedAt ?? work.now.toISOString(),
  }
}

const definitionOfKind = async (read: Reader, kind: string): Promise<SignalDefinition | undefined> =>
  (await read.find(signalDefinitions, { key: kind }, 1))[0]

/** A detection that is sent again under its external reference fires only if it was not sure enough before. */
async function fireIfSure(work: Work, event: SignalEvent, before: SignalEvent | undefined): Promise<void> {
  const definition = await definitionOfKind(work, event.kind)
  const threshold = definition?.fireThreshold ?? work.caller.settings.signalFireThreshold
  const isSure = event.confidence >= threshold && definition?.enabled !== false
  if (!isSure || (before !== undefined && before.confidence >= threshold)) return
  const { kind, confidence, callSessionId, workRecordId, personId, details, evidence } = event
  const severity = definition?.severity ?? 'info'
  const firedAt = work.now.toISOString()
  const values = {
    kind,
    signalKey: kind,
    confidence,
    severity,
    callSessionId,
    workRecordId,
    personId,
    firedAt,
    details,
    evidence,
  }
  const signal = newRecord(signals, work, values)
  work.insert(signals, signal)
  work.publish('signal.fired', {
    signalId: signal.id,
    kind,
    confidence,
    severity,
    callSessionId,
    workRecordId,
    firedAt,
    details,
    signal,
  })
}

const eventRules: Rules<typeof signalEvents> = {
  complete: (input, event) => withDefinition(input.work, event),
  async after({ work, record, before }) {
    if (record) await fireIfSure(work, record, before)
  },
}

const definitionRules: Rules<typeof signalDefinitions> = {
  existing: ({ work, body }) => definitionOfKind(work, String(body['key'])),
  complete: (_input, definition) => ({ ...definition, label: definition.label ?? titleOf(definition.key) }),
}

const eventEndpoints = crud(signalEvents, eventRules)

export const createSignalEvent: Endpoint = eventEndpoints.create

export const signalEndpoints: Endpoint[] = [
  ...endpointsOf(crud(signals)),
  ...endpointsOf(crud(signalDefinitions, definitionRules)),
  ...endpointsOf(eventEndpoints),
]
