// Drafts: the work record that a call proposes. How one is made, edited and handed over for review; what is decided on
// it is in draft-decisions.ts and draft-approval.ts.
import {
  calls,
  draftBody,
  draftMoves,
  draftPatchBody,
  draftStatuses,
  drafts,
  editableDraftStatuses,
  type Move,
} from '@parley/contract'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { conflict, illegalMove } from '../../store/api-error.js'
import { fenceNamed, finding } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { changeRecord, crud, type Rules } from '../generic/crud.js'
import { findByRefs, writeRefs } from '../generic/external-ref-rows.js'
import { changedFields, newRecord, patched, requireComplete } from '../generic/record-values.js'
import { requireReferences } from '../generic/reference-checks.js'
import { statesAfter } from '../generic/state-transitions.js'
import { approveEndpoint } from './draft-approval.js'
import { type Draft, draftData, draftMoveEndpoints } from './draft-decisions.js'
import { missingFields } from './draft-proposal.js'

export type { Draft } from './draft-decisions.js'

/**
 * Bumped by every draft that a call gets and by the call's end, so that no draft slips between the two. Read it beside
 * the call or its drafts.
 */
const draftsFence = (callId: string) => fenceNamed(`call-drafts:${callId}`)

/** Makes the draft of a call. `body` has the shape of `draftBody`, with the call. */
export async function addDraft(work: Work, body: Record<string, unknown>): Promise<Draft> {
  const callId = String(body['callSessionId'])
  const [fence, [call]] = await work.lookUp(draftsFence(callId), finding(calls, { id: callId }, 1))
  work.addFence(fence)
  const extracted = body['extraction'] ? undefined : await extractedDraft(work, callId)
  if (extracted) return takeOver(work, extracted, body)
  const made = newRecord(drafts, work, { ...body, status: call?.endedAt ? 'pending_review' : 'draft' })
  const draft: Draft = { ...made, missingFields: await missingFields(work, made) }
  requireComplete(drafts, draft)
  await requireReferences(work, drafts, call ? { ...body, callSessionId: undefined } : body, draft)
  work.insert(drafts, draft)
  work.publish('draft.created', draftData(draft))
  await writeRefs(work, drafts, undefined, draft)
  return draft
}

/** The draft that the extractor made of the call, while nobody else has said anything of it. */
async function extractedDraft(work: Work, callSessionId: string): Promise<Draft | undefined> {
  const known = await work.find(drafts, { callSessionId })
  return known.findLast((draft) => draft.extraction?.isDraftMade && !isDecided(draft))
}

/** A call has one draft: what is sent of it stands, and what the extractor found fills its gaps. */
async function takeOver(work: Work, before: Draft, body: Record<string, unknown>): Promise<Draft> {
  const extraction = before.extraction && { ...before.extraction, isDraftMade: false }
  const wanted: Draft = { ...patched(drafts, before, { confidence: null, factIds: [], ...body }), extraction }
  const draft = work.update(drafts, { ...wanted, missingFields: await missingFields(work, wanted) })
  await requireReferences(work, drafts, { ...body, callSessionId: undefined }, draft)
  await writeRefs(work, drafts, before, draft)
  return draft
}

/** Hands the open drafts of a call over for review: part of the call's end. */
export async function submitDraftsOfCall(work: Work, callId: string): Promise<void> {
  const [fence, open] = await work.lookUp(
    draftsFence(callId),
    finding(drafts, { callSessionId: callId, status: 'draft' }),
  )
  work.addFence(fence)
  for (const draft of open) work.update(drafts, { ...draft, status: draftMoves.submit.to })
}

const draftRules: Rules<typeof drafts> = {
  async complete({ work }, draft, before) {
    if (before && isDecided(before) && changedFields(drafts, before, draft).length === 0) return before
    if (before) requireEditable(before, draft)
    return { ...draft, missingFields: await missingFields(work, draft) }
  },
}

const isDecided = ({ status }: Draft): boolean => !editableDraftStatuses.includes(status)

/**
 * A draft may be edited only before someone has decided on it, it stays with its call, and its status is nothing to
 * edit.
 */
function requireEditable(before: Draft, wanted: Draft): void {
  const { status: from } = before
  if (wanted.status !== from) throw movedByAction(from, wanted.status)
  if (isDecided(before)) {
    throw conflict('state', `A draft that is ${from} cannot be edited`, {
      from,
      to: from,
      allowed: statesAfter(draftMoves, from),
    })
  }
  if (wanted.callSessionId !== before.callSessionId)
    throw conflict('fixed', 'callSessionId cannot be changed; make another draft', { field: 'callSessionId' })
}

/** Says which action would make of the draft what was sent as its status, if there is one. */
function movedByAction(from: Draft['status'], to: Draft['status']): Error {
  const isTaken = ([, move]: [string, Move<string>]) => move.to === to && move.from.includes(from)
  const [action] = Object.entries<Move<string>>(draftMoves).find(isTaken) ?? []
  const allowed = statesAfter(draftMoves, from)
  if (!draftStatuses.includes(to))
    return conflict('state', `The draft is ${from}; its status is moved by the actions`, { from, allowed })
  if (action === undefined) return illegalMove(from, to, allowed)
  return conflict('state', `The status of a draft is not edited; POST /drafts/{id}/${action} makes it ${to}`, {
    from,
    to,
    allowed,
  })
}

const { list, get, create, patch } = crud(drafts, draftRules)

const createDraft: Endpoint = endpoint({
  ...create,
  description:
    'A draft made after its call has ended goes straight to review. With `externalRefs` that belong to one live ' +
    'draft, that draft is updated instead.',
  body: draftBody({ callRequired: true }),
  async handle(input) {
    const { work } = input
    const existing = await findByRefs(work, drafts, input.body.externalRefs)
    if (existing) return changeRecord(drafts, draftRules, input, existing, patched(drafts, existing, input.body))
    return work.respond(201, await addDraft(work, input.body))
  },
})

const updateDraft: Endpoint = endpoint({
  ...patch,
  description: 'Before someone has decided on it. Its status moves by the actions: another one than it has is refused.',
  body: draftPatchBody,
})

export const draftEndpoints: Endpoint[] = [list, get, createDraft, updateDraft, approveEndpoint, ...draftMoveEndpoints]
