// Approval: a draft becomes a work record, with the facts that were accepted or rejected along the way, in one commit.
import { type DraftApproval, draftApprovalBody, draftMoves, drafts, facts } from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { badRequest } from '../../store/api-error.js'
import { finding } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { patched } from '../generic/record-values.js'
import { requireMove } from '../generic/state-transitions.js'
import { toldChange } from '../generic/told-change.js'
import { actorId, confirmFact, isConfirmed, rejectFact } from '../knowledge/fact-decisions.js'
import { type Fact, standingLookups } from '../knowledge/fact-supersession.js'
import { type Draft, draftAction, draftData, requireDraft } from './draft-decisions.js'
import { missingFields, onlyKindLookup } from './draft-proposal.js'
import { addWorkOfDraft, fetchOriginAhead } from './work-from-draft.js'

export const approveEndpoint: Endpoint = endpoint({
  ...draftAction,
  path: '/drafts/{id}/approve',
  operationId: 'approveDraft',
  summary: 'Approve a draft',
  description:
    'Makes the work record, confirms and rejects the facts that are named, and marks the draft approved, all or ' +
    'nothing. `payload` is merged over the draft’s. Approving again answers with the same draft and makes ' +
    'nothing.',
  body: draftApprovalBody,
  async handle(input) {
    const { work, params, body } = input
    const groups = [body.acceptFactIds, body.rejectFactIds].flatMap((ids) => (ids?.length ? [[factsNamed(ids)]] : []))
    await work.fetchAhead([finding(drafts, { id: params.id }, 1)], [onlyKindLookup], ...groups)
    const draft = await requireDraft(input)
    if (draft.status === 'approved' || draft.status === 'synced') return work.respond(200, draft)
    requireMove(draftMoves, 'approve', draft.status)
    return work.respond(200, await approve(work, draft, body))
  },
})

/** The order of the events is promised: person, work record, facts, appointment, and the draft last. */
async function approve(work: Work, proposed: Draft, decision: DraftApproval): Promise<Draft> {
  const { payload } = patched(drafts, proposed, { payload: decision.payload ?? {} })
  const wanted: Draft = { ...proposed, payload, customerId: decision.customerId ?? proposed.customerId }
  await Promise.all([
    fetchOriginAhead(work, wanted, decision.customerId ?? undefined),
    fetchSlotsAhead(work, decision.acceptFactIds ?? []),
  ])
  const made = await addWorkOfDraft(work, wanted, decision.customerId ?? undefined)
  made.publish()
  await decideFacts(work, decision)
  made.publishScheduled()
  const approvedAt = work.now.toISOString()
  const approval = {
    status: draftMoves.approve.to,
    workRecordId: made.record.id,
    approvedBy: actorId(work),
    approvedAt,
  }
  const draft = work.update(drafts, { ...wanted, ...approval, missingFields: await missingFields(work, wanted) })
  const { approvedBy, workRecordId } = approval
  work.publish('draft.approved', {
    ...draftData(draft),
    workRecordId,
    approvedBy,
    approvedAt,
    edits: editsOf(proposed, wanted),
    workRecord: made.record,
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
async function decideFacts(work: Work, { acceptFactIds = [], rejectFactIds = [] }: DraftApproval): Promise<void> {
  const both = rejectFactIds.findIndex((id) => acceptFactIds.includes(id))
  if (both >= 0) throw badRequest(`rejectFactIds[${both}]`, 'is accepted as well; decide', 'contradiction')
  const [rejected, accepted] = await Promise.all([
    named(work, rejectFactIds, 'rejectFactIds'),
    named(work, acceptFactIds, 'acceptFactIds'),
  ])
  for (const fact of rejected) if (fact.status !== 'rejected') rejectFact(work, fact)
  for (const one of accepted.sort((a, b) => (a.observedAt < b.observedAt ? -1 : 1))) {
    // What was accepted before it may have superseded it.
    const fact = work.current(facts, one)
    if (!isConfirmed(fact)) await confirmFact(work, fact, 'draft_approval')
  }
}

const factsNamed = (ids: readonly string[]) => finding(facts, { id: [...new Set(ids)] })

/** The slots of the facts that are to be confirmed, all at once. */
async function fetchSlotsAhead(work: Work, ids: readonly string[]): Promise<void> {
  const found = ids.length === 0 ? [] : (await work.lookUp(factsNamed(ids)))[0]
  const slots = new Map(found.map((fact) => [`${fact.subjectType}/${fact.subjectId}/${fact.key}`, fact]))
  await Promise.all([...slots.values()].map((fact) => work.fetchAhead(standingLookups(fact))))
}

async function named(work: Work, ids: readonly string[], field: string): Promise<Fact[]> {
  if (ids.length === 0) return []
  const wanted = [...new Set(ids)]
  const [all] = await work.lookUp(factsNamed(ids))
  const found = new Map(all.map((fact) => [fact.id, fact]))
  return wanted.map((id) => {
    const fact = found.get(id)
    if (fact === undefined)
      throw badRequest(`${field}[${ids.indexOf(id)}]`, 'names a fact that does not exist', 'reference')
    return fact
  })
}
