// Signals: every detection is kept as a signal event, and one that is sure enough makes a signal and fires it.
import { type Row, signalDefinitions, signalEvents, signals } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { badRequest } from '../../store/api-error.js'
import type { Change } from '../../store/change.js'
import type { Reader } from '../../store/reader.js'
import { crud, endpointsOf, type Rules } from '../generic/crud.js'
import { writeRefs } from '../generic/external-ref-rows.js'
import { newRecord, requireComplete } from '../generic/record-values.js'
import { requireReferences } from '../generic/reference-checks.js'
import type { WriteContext } from '../generic/system-caller.js'
import { titleOf } from '../work/work-type-definitions.js'

export type SignalEvent = Row<typeof signalEvents>
type SignalDefinition = Row<typeof signalDefinitions>

/**
 * Keeps a detection, and fires its signal when it is sure enough. `body` has the shape of `createBody(signalEvents)`.
 */
export async function addSignalEvent(
  change: Change,
  input: WriteContext,
  body: Record<string, unknown>,
): Promise<SignalEvent> {
  const event = await withDefinition(input, newRecord(signalEvents, input.caller, body, input.now))
  requireComplete(signalEvents, event)
  await requireReferences(input, signalEvents, body, event)
  change.insert(signalEvents, event)
  await writeRefs(change, input, signalEvents, undefined, event)
  await fireIfSure(change, input, event, undefined)
  return event
}

/** The event under the definition of its kind, which need not exist. */
async function withDefinition(
  { read, now }: Pick<WriteContext, 'read' | 'now'>,
  event: SignalEvent,
): Promise<SignalEvent> {
  const named = event.signalDefinitionId ? await read.get(signalDefinitions, event.signalDefinitionId) : undefined
  if (named && named.key !== event.kind)
    throw badRequest('signalDefinitionId', `is the definition of ${named.key}, not of ${event.kind}`, 'contradiction')
  const definition = named ?? (await definitionOfKind(read, event.kind))
  return {
    ...event,
    signalDefinitionId: event.signalDefinitionId ?? definition?.id ?? null,
    detectedAt: event.detectedAt ?? now.toISOString(),
  }
}

const definitionOfKind = async (read: Reader, kind: string): Promise<SignalDefinition | undefined> =>
  (await read.find(signalDefinitions, { key: kind }, 1))[0]

/** A detection that is sent again under its external reference fires only if it was not sure enough before. */
async function fireIfSure(
  change: Change,
  input: WriteContext,
  event: SignalEvent,
  before: SignalEvent | undefined,
): Promise<void> {
  const definition = await definitionOfKind(input.read, event.kind)
  const threshold = definition?.fireThreshold ?? input.caller.settings.signalFireThreshold
  const isSure = event.confidence >= threshold && definition?.enabled !== false
  if (!isSure || (before !== undefined && before.confidence >= threshold)) return
  const { kind, confidence, callSessionId, workRecordId, personId, details, evidence } = event
  const severity = definition?.severity ?? 'info'
  const firedAt = input.now.toISOString()
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
  const signal = newRecord(signals, input.caller, values, input.now)
  change.insert(signals, signal)
  change.publish('signal.fired', {
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
  complete: (input, event) => withDefinition(input, event),
  async after({ change, input, record, before }) {
    if (record) await fireIfSure(change, input, record, before)
  },
}

const definitionRules: Rules<typeof signalDefinitions> = {
  existing: ({ read, body }) => definitionOfKind(read, String(body['key'])),
  complete: (_input, definition) => ({ ...definition, label: definition.label ?? titleOf(definition.key) }),
}

const eventEndpoints = crud(signalEvents, eventRules)

export const createSignalEvent: Endpoint = eventEndpoints.create

export const signalEndpoints: Endpoint[] = [
  ...endpointsOf(crud(signals)),
  ...endpointsOf(crud(signalDefinitions, definitionRules)),
  ...endpointsOf(eventEndpoints),
]
