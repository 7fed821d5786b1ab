// What becomes of an SMS: receipts of carriers and the verdicts of our own outbox move its status forward, never back,
// and say so in events.
import { canMove, recordSchema, type SmsReceipt, type SmsStatus, sms, smsMoves, smsReceiptBody } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { notFound } from '../../store/api-error.js'
import type { Answer } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { changedFields } from '../generic/record-values.js'
import { messageIdOf, type Sms, sentSmsData } from './sms-event-data.js'

export interface SmsReport {
  readonly status?: SmsStatus | undefined
  readonly providerMessageId?: string | null | undefined
  readonly errorCode?: string | null | undefined
  readonly errorMessage?: string | null | undefined
  readonly at?: string | null | undefined
}

/**
 * Brings an SMS to where a report says it is. A report that came late leaves the status alone; what else it tells is
 * kept.
 */
export async function applyReport(work: Work, before: Sms, report: SmsReport): Promise<Sms> {
  const { status: reported = before.status } = report
  const status = canMove(smsMoves, before.status, reported) ? reported : before.status
  const isDelivered = status === 'delivered' && before.deliveredAt === null
  const wanted: Sms = {
    ...before,
    status,
    providerMessageId: before.providerMessageId ?? report.providerMessageId ?? null,
    errorCode: report.errorCode ?? before.errorCode,
    errorMessage: report.errorMessage ?? before.errorMessage,
    deliveredAt: isDelivered ? (report.at ?? work.now.toISOString()) : before.deliveredAt,
  }
  if (changedFields(sms, before, wanted).length === 0) return before
  const after = work.update(sms, wanted)
  const types = eventsOfMove(before.status, status)
  if (types.length === 0) return after
  const data = sentSmsData(after, await messageIdOf(work, after.id))
  for (const type of types) work.publish(type, data)
  return after
}

/** A carrier that delivered, or tried to, had accepted before, even when nobody told us. */
export function eventsOfMove(from: SmsStatus, to: SmsStatus): ('sms.sent' | 'sms.delivered' | 'sms.failed')[] {
  if (from === to) return []
  const isAccepted = from === 'queued' && to !== 'failed'
  const ends = { delivered: 'sms.delivered', undelivered: 'sms.failed', failed: 'sms.failed' } as const
  return [...(isAccepted ? (['sms.sent'] as const) : []), ...(to in ends ? [ends[to as keyof typeof ends]] : [])]
}

async function receiveReceipt(input: Input<SmsReceipt, unknown, { id: string }>): Promise<Answer<Sms>> {
  const { work } = input
  const before = await work.get(sms, input.params.id)
  if (before === undefined) throw notFound()
  return work.respond(200, await applyReport(work, before, input.body))
}

export const smsReceiptEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/sms/{id}/status',
    scope: 'WRITE',
    operationId: 'reportSmsStatus',
    summary: 'Record a delivery receipt',
    description: 'For carriers and bridges. A receipt that comes late leaves the status as it is and is no error.',
    tag: sms.label,
    body: smsReceiptBody,
    returns: { status: 200, schema: recordSchema(sms) },
    handle: receiveReceipt,
  }),
]
