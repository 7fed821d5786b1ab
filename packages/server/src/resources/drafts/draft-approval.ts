// Approval: a draft becomes a work record, with the facts that were accepted or rejected along the way, in one commit.
import { type DraftApproval, draftApprovalBody, draftMoves, drafts, facts } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { badRequest } from '../../store/api-error.js'
import type { Change } from '../../store/change.js'
import { noContent, ok, recordAnswer } from '../../store/response.js'
import { nextVersion, patched } from '../generic/record-values.js'
import { requireMove } from '../generic/state-transitions.js'
import { toldChange } from '../generic/told-change.js'
import { actorId, confirmFact, isConfirmed, rejectFact } from '../knowledge/fact-decisions.js'
import type { Fact } from '../knowledge/fact-supersession.js'
import { type Draft, draftAction, draftData, requireDraft } from './draft-decisions.js'
import { missingFields } from './draft-proposal.js'
import { addWorkOfDraft } from './work-from-draft.js'

export const approveEndpoint: Endpoint = endpoint({
  ...draftAction,
  path: '/drafts/{id}/approve',
  operationId: 'approveDraft',
  summary: 'Approve a draft',
  description:
    'Makes the work record, confirms and rejects the facts that are named, and marks the draft approved, all or nothing. `payload` is merged over the draft’s. Approving again answers with the same draft and makes nothing.',
  body: draftApprovalBody,
  async handle(input) {
    const draft = await requireDraft(input)
    if (draft.status === 'approved' || draft.status === 'synced') return ok(draft)
    requireMove(draftMoves, 'approve', draft.status)
    const change = noContent()
    return change.withResponse(recordAnswer(200, await approve(change, input, draft, input.body)))
  },
})

/** The order of the events is promised: person, work record, facts, appointment, and the draft last. */
async function approve(change: Change, input: Input, proposed: Draft, decision: DraftApproval): Promise<Draft> {
  const { payload } = patched(drafts, proposed, { payload: decision.payload ?? {} })
  const wanted: Draft = { ...proposed, payload, customerId: decision.customerId ?? proposed.customerId }
  const work = await addWorkOfDraft(change, input, wanted, decision.customerId ?? undefined)
  work.publish()
  await decideFacts(change, input, decision)
  work.publishScheduled()
  const approvedAt = input.now.toISOString()
  const approval = {
    status: draftMoves.approve.to,
    workRecordId: work.record.id,
    approvedBy: actorId(input),
    approvedAt,
  }
  const draft: Draft = nextVersion(
    { ...wanted, ...approval, missingFields: await missingFields(input.read, wanted) },
    input.now,
  )
  change.update(drafts, draft)
  const { approvedBy, workRecordId } = approval
  change.publish('draft.approved', {
    ...draftData(draft),
    workRecordId,
    approvedBy,
    approvedAt,
    edits: editsOf(proposed, wanted),
    workRecord: work.record,
  })
  return draft
}

/** What whoever approved changed of what was proposed. */
function editsOf(proposed: Draft, approved: Draft): Record<string, { proposed: unknown; approved: unknown }> {
  const keys = new Set([...Object.keys(proposed.payload), ...Object.keys(approved.payload)])
  const pairs = [...keys].map(
    (key) => [`payload.${key}`, proposed.payload[key] ?? null, approved.payload[key] ?? null] as const,
  )
  const all = [...pairs, ['customerId', proposed.customerId, approved.customerId] as const]
  return Object.fromEntries(
    all
      .filter(([, before, after]) => JSON.stringify(before) !== JSON.stringify(after))
      .map(([path, before, after]) => [path, toldChange(before, after)] as const)
      .map(([path, { from, to }]) => [path, { proposed: from, approved: to }]),
  )
}

/**
 * Rejections go first, so that an accepted fact does not supersede a rejected one of its slot; of the accepted, what
 * was observed last stands.
 */
async function decideFacts(
  change: Change,
  input: Input,
  { acceptFactIds = [], rejectFactIds = [] }: DraftApproval,
): Promise<void> {
  const both = rejectFactIds.findIndex((id) => acceptFactIds.includes(id))
  if (both >= 0) throw badRequest(`rejectFactIds[${both}]`, 'is accepted as well; decide', 'contradiction')
  const [rejected, accepted] = await Promise.all([
    named(input, rejectFactIds, 'rejectFactIds'),
    named(input, acceptFactIds, 'acceptFactIds'),
  ])
  for (const fact of rejected) if (fact.status !== 'rejected') rejectFact(change, input, fact)
  for (const { id } of accepted.sort((a, b) => (a.observedAt < b.observedAt ? -1 : 1)))
    await accept(change, input, accepted, id)
}

async function accept(change: Change, input: Input, accepted: readonly Fact[], id: string): Promise<void> {
  const fact = change.pending(facts).find((one) => one.id === id) ?? (accepted.find((one) => one.id === id) as Fact)
  if (!isConfirmed(fact)) await confirmFact(change, input, fact, 'draft_approval')
}

async function named({ read }: Input, ids: readonly string[], field: string): Promise<Fact[]> {
  return Promise.all(
    [...new Set(ids)].map(async (id) => {
      const fact = await read.get(facts, id)
      if (fact === undefined)
        throw badRequest(`${field}[${ids.indexOf(id)}]`, 'names a fact that does not exist', 'reference')
      return fact
    }),
  )
}
