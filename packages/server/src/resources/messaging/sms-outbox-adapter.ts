// What the outbox needs to know of records: which carrier a queued SMS goes to, whether it may still go, and how its
// fate is committed.
import { sms } from '@parley/contract'
import { Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import type { Carrier, Carriers } from '../../telephony/carrier.js'
import { carrierOf } from '../../telephony/carrier-choice.js'
import type { OutboxParts, Task } from '../../telephony/sms-outbox.js'
import { type ClaimedText, holdsClaim, settleText } from '../../telephony/sms-queue.js'
import type { Verdict } from '../../telephony/sms-verdict.js'
import { commitAsSystem, type SystemParts, systemCaller } from '../generic/system-caller.js'
import { isOptedOut } from '../people/sms-consent.js'
import { addInboundSms, findInboundSms } from './receive-sms.js'
import type { Sms } from './sms-event-data.js'
import { applyReport } from './sms-receipts.js'

const WORKER = 'sms-outbox'

export function smsSending(
  parts: SystemParts & { readonly carriers: Carriers },
): Pick<OutboxParts, 'prepare' | 'settle'> {
  return {
    prepare: (claimed) => prepare(parts, claimed),
    settle: (claimed, verdict) => settle(parts, claimed, verdict),
  }
}

async function prepare(
  { database, sealer, carriers }: SystemParts & { carriers: Carriers },
  claimed: ClaimedText,
): Promise<Task> {
  const { tenantId, smsId, step } = claimed
  const read = new Reader(database, tenantId)
  const [text, caller] = await Promise.all([read.get(sms, smsId), systemCaller(database, tenantId)])
  // A receipt may have overtaken us: then the carrier has it, and must not be asked to send it.
  if (text === undefined || text.from === null || caller === undefined || (step === 'send' && text.status !== 'queued'))
    return { kind: 'drop' }
  if (step === 'send' && (await isOptedOut(read, text.to))) {
    return {
      kind: 'refuse',
      errorCode: 'recipient_opted_out',
      errorMessage: 'The recipient opted out before the text was sent',
    }
  }
  const carrier = (await carrierOf(read, sealer, caller.environment, carriers, text.phoneNumberId)) ?? nobody
  const { from, to, body, providerMessageId } = text
  const queuedAt = new Date(text.createdAt)
  return { kind: 'carry', carrier, text: { idempotencyKey: smsId, from, to, body, queuedAt }, providerMessageId }
}

/** A connection that was paused after the SMS was queued may come back. */
const nobody: Carrier = {
  send: async () => ({ kind: 'unavailable', errorMessage: 'No active connection to a carrier' }),
}

async function settle(parts: SystemParts, claimed: ClaimedText, { report, next }: Verdict): Promise<void> {
  await commitAsSystem(parts, claimed.tenantId, WORKER, async (work) => {
    // Whoever took over after our lease lapsed decides now.
    if (!(await holdsClaim(parts.database, claimed))) return
    const before = await work.get(sms, claimed.smsId)
    if (before) {
      const after = await applyReport(work, before, report)
      if (report.reply !== undefined && after.status === 'delivered') await addReply(work, after, report.reply)
    }
    work.addStatement(settleText(claimed, next), 1, { recurs: true })
  })
}

async function addReply(work: Work, { id, from, to }: Pick<Sms, 'id' | 'from' | 'to'>, body: string): Promise<void> {
  const providerMessageId = `reply-${id}`
  if (from !== null && (await findInboundSms(work, providerMessageId)) === undefined)
    await addInboundSms(work, { from: to, to: from, body, providerMessageId })
}
