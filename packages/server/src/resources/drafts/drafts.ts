// Drafts: the work record that a call proposes. How one is made, edited and handed over for review; what is decided on
// it is in draft-moves.ts and draft-approval.ts.
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
import type { Change, Fence } from '../../store/change.js'
import type { Reader } from '../../store/reader.js'
import { noContent, recordAnswer } from '../../store/response.js'
import { changeRecord, crud, type Rules } from '../generic/crud.js'
import { findByRefs, writeRefs } from '../generic/external-ref-rows.js'
import { changedFields, newRecord, nextVersion, patched, requireComplete } from '../generic/record-values.js'
import { requireReferences } from '../generic/reference-checks.js'
import { statesAfter } from '../generic/state-transitions.js'
import type { WriteContext } from '../generic/system-caller.js'
import { approveEndpoint } from './draft-approval.js'
import { type Draft, draftData, draftMoveEndpoints } from './draft-decisions.js'
import { missingFields } from './draft-proposal.js'

export type { Draft } from './draft-decisions.js'

/**
 * Bumped by every draft that a call gets and by the call's end, so that no draft slips between the two. Read it before
 * the call or its drafts.
 */
const draftsFence = (read: Reader, callId: string): Promise<Fence> => read.fence(`call-drafts:${callId}`)

/**
 * Makes the draft of a call, which may itself be pending in the change. `body` has the shape of `draftBody`, with the
 * call.
 */
export async function addDraft(change: Change, input: WriteContext, body: Record<string, unknown>): Promise<Draft> {
  const callId = String(body['callSessionId'])
  change.fence(await draftsFence(input.read, callId))
  const call = change.pending(calls).find(({ id }) => id === callId) ?? (await input.read.get(calls, callId))
  const extracted = body['extraction'] ? undefined : await extractedDraft(input.read, callId)
  if (extracted) return takeOver(change, input, extracted, body)
  const made = newRecord(
    drafts,
    input.caller,
    { ...body, status: call?.endedAt ? 'pending_review' : 'draft' },
    input.now,
  )
  const draft: Draft = { ...made, missingFields: await missingFields(input.read, made) }
  requireComplete(drafts, draft)
  await requireReferences(input, drafts, call ? { ...body, callSessionId: undefined } : body, draft)
  change.insert(drafts, draft).publish('draft.created', draftData(draft))
  await writeRefs(change, input, drafts, undefined, draft)
  return draft
}

/** The draft that the extractor made of the call, while nobody else has said anything of it. */
async function extractedDraft(read: Reader, callSessionId: string): Promise<Draft | undefined> {
  const known = await read.find(drafts, { callSessionId })
  return known.findLast((draft) => draft.extraction?.isDraftMade && !isDecided(draft))
}

/** A call has one draft: what is sent of it stands, and what the extractor found fills its gaps. */
async function takeOver(
  change: Change,
  input: WriteContext,
  before: Draft,
  body: Record<string, unknown>,
): Promise<Draft> {
  const extraction = before.extraction && { ...before.extraction, isDraftMade: false }
  const wanted: Draft = { ...patched(drafts, before, { confidence: null, factIds: [], ...body }), extraction }
  const draft = nextVersion({ ...wanted, missingFields: await missingFields(input.read, wanted) }, input.now)
  await requireReferences(input, drafts, { ...body, callSessionId: undefined }, draft)
  change.update(drafts, draft)
  await writeRefs(change, input, drafts, before, draft)
  return draft
}

/** Hands the open drafts of a call over for review: part of the call's end. */
export async function submitDraftsOfCall(change: Change, input: WriteContext, callId: string): Promise<void> {
  change.fence(await draftsFence(input.read, callId))
  const stored = await input.read.find(drafts, { callSessionId: callId, status: 'draft' })
  const pending = change.pending(drafts)
  const open = [...stored.filter(({ id }) => !pending.some((draft) => draft.id === id)), ...pending]
  for (const draft of open) {
    if (draft.callSessionId === callId && draft.status === 'draft')
      change.update(drafts, nextVersion({ ...draft, status: draftMoves.submit.to }, input.now))
  }
}

const draftRules: Rules<typeof drafts> = {
  async complete({ read }, draft, before) {
    if (before && isDecided(before) && changedFields(drafts, before, draft).length === 0) return before
    if (before) requireEditable(before, draft)
    return { ...draft, missingFields: await missingFields(read, draft) }
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
    'A draft made after its call has ended goes straight to review. With `externalRefs` that belong to one live draft, that draft is updated instead.',
  body: draftBody({ callRequired: true }),
  async handle(input) {
    const existing = await findByRefs(input.read, drafts, input.body.externalRefs)
    if (existing) return changeRecord(drafts, draftRules, input, existing, patched(drafts, existing, input.body))
    const change = noContent()
    return change.withResponse(recordAnswer(201, await addDraft(change, input, input.body)))
  },
})

const updateDraft: Endpoint = endpoint({
  ...patch,
  description: 'Before someone has decided on it. Its status moves by the actions: another one than it has is refused.',
  body: draftPatchBody,
})

export const draftEndpoints: Endpoint[] = [list, get, createDraft, updateDraft, approveEndpoint, ...draftMoveEndpoints]
