// What the outbox needs to know of records: which carrier a queued text goes to, whether it may still go, and how its
// fate is committed.
import { sms } from '@parley/contract'
import { readerOf } from '../../store/reader.js'
import { answers } from '../../store/response.js'
import type { Carrier, Carriers } from '../../telephony/carrier.js'
import { carrierOf } from '../../telephony/carrier-choice.js'
import type { OutboxParts, Task } from '../../telephony/sms-outbox.js'
import { type ClaimedText, holdsClaim, settleText } from '../../telephony/sms-queue.js'
import type { Verdict } from '../../telephony/sms-verdict.js'
import { commitAsSystem, type SystemParts, systemContext, type WriteContext } from '../generic/system-caller.js'
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
  { database, sealer, clock, carriers }: SystemParts & { carriers: Carriers },
  claimed: ClaimedText,
): Promise<Task> {
  const { tenantId, smsId, step } = claimed
  const read = readerOf(database, tenantId)
  const text = await read.get(sms, smsId)
  const acting = await systemContext(database, tenantId, WORKER, clock())
  // A receipt may have overtaken us: then the carrier has it, and must not be asked to send it.
  if (text === undefined || text.from === null || acting === undefined || (step === 'send' && text.status !== 'queued'))
    return { kind: 'drop' }
  if (step === 'send' && (await isOptedOut(read, text.to))) {
    return {
      kind: 'refuse',
      errorCode: 'recipient_opted_out',
      errorMessage: 'The recipient opted out before the text was sent',
    }
  }
  const carrier = (await carrierOf(read, sealer, acting.caller.environment, carriers, text.phoneNumberId)) ?? nobody
  const { from, to, body, providerMessageId } = text
  const queuedAt = new Date(text.createdAt)
  return { kind: 'carry', carrier, text: { idempotencyKey: smsId, from, to, body, queuedAt }, providerMessageId }
}

/** A connection that was paused after the text was queued may come back. */
const nobody: Carrier = {
  send: async () => ({ kind: 'unavailable', errorMessage: 'No active connection to a carrier' }),
}

async function settle(parts: SystemParts, claimed: ClaimedText, { report, next }: Verdict): Promise<void> {
  await commitAsSystem(parts, claimed.tenantId, WORKER, async (input) => {
    const change = answers({ status: 204, body: null })
    // Whoever took over after our lease lapsed decides now.
    if (!(await holdsClaim(parts.database, claimed))) return change
    const before = await input.read.get(sms, claimed.smsId)
    if (before) {
      const after = await applyReport(change, input, before, report)
      if (report.reply !== undefined && after.status === 'delivered') await addReply(change, input, after, report.reply)
    }
    return change.addStatement(settleText(claimed, next), 1, { recurs: true })
  })
}

async function addReply(
  change: ReturnType<typeof answers>,
  input: WriteContext,
  { id, from, to }: Pick<Sms, 'id' | 'from' | 'to'>,
  body: string,
): Promise<void> {
  const providerMessageId = `reply-${id}`
  if (from !== null && (await findInboundSms(input, providerMessageId)) === undefined)
    await addInboundSms(change, input, { from: to, to: from, body, providerMessageId })
}
