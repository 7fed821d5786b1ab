// What is decided on a draft, approval aside: submitted, rejected, reopened, synced. A move to the state that it is in
// already changes nothing.
import { draftMoves, draftRejectionBody, draftSyncedBody, drafts, type Row, recordSchema } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { notFound } from '../../store/api-error.js'
import type { Answer } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { writeRefs } from '../generic/external-ref-rows.js'
import { mergeRefs } from '../generic/record-values.js'
import { requireMove } from '../generic/state-transitions.js'
import { actorId } from '../knowledge/fact-decisions.js'

export type Draft = Row<typeof drafts>

/** What every event about a draft tells. */
export const draftData = (draft: Draft) => ({ draftId: draft.id, callSessionId: draft.callSessionId, draft })

/** The draft that the path names. */
export async function requireDraft({ work, params }: Pick<Input, 'work' | 'params'>): Promise<Draft> {
  const draft = await work.get(drafts, params['id'] ?? '')
  if (draft === undefined) throw notFound()
  return draft
}

/** What all actions on a draft have in common. */
export const draftAction = {
  method: 'POST',
  scope: 'WRITE',
  tag: drafts.label,
  returns: { status: 200, schema: recordSchema(drafts) },
} as const

type Action = keyof typeof draftMoves

/** An action that takes a draft to its next state, with what else that sets and tells. */
function move<B>(
  name: Action,
  values: (input: Input<B>, draft: Draft) => Partial<Draft>,
  tell?: (work: Work, draft: Draft) => void,
) {
  return async (input: Input<B>): Promise<Answer<Draft>> => {
    const { work } = input
    const before = await requireDraft(input)
    const { to } = draftMoves[name]
    if (before.status === to) return work.respond(200, before)
    requireMove(draftMoves, name, before.status)
    const draft = work.update(drafts, { ...before, ...values(input, before), status: to })
    await writeRefs(work, drafts, before, draft)
    tell?.(work, draft)
    return work.respond(200, draft)
  }
}

const submit: Endpoint = endpoint({
  ...draftAction,
  path: '/drafts/{id}/submit',
  operationId: 'submitDraft',
  summary: 'Submit a draft for review',
  description: 'The end of its call does the same.',
  handle: move('submit', () => ({})),
})

const reject: Endpoint = endpoint({
  ...draftAction,
  path: '/drafts/{id}/reject',
  operationId: 'rejectDraft',
  summary: 'Reject a draft',
  body: draftRejectionBody,
  handle: move(
    'reject',
    (input) => ({
      rejectedBy: actorId(input),
      rejectedAt: input.now.toISOString(),
      rejectedReason: input.body.reason ?? null,
    }),
    (work, draft) => work.publish('draft.rejected', { ...draftData(draft), reason: draft.rejectedReason }),
  ),
})

const reopen: Endpoint = endpoint({
  ...draftAction,
  path: '/drafts/{id}/reopen',
  operationId: 'reopenDraft',
  summary: 'Reopen a rejected draft',
  handle: move('reopen', () => ({ rejectedBy: null, rejectedAt: null, rejectedReason: null })),
})

const synced: Endpoint = endpoint({
  ...draftAction,
  path: '/drafts/{id}/synced',
  operationId: 'markDraftSynced',
  summary: 'Say that an approved draft reached an external system',
  description: 'The external references are added to the draft.',
  body: draftSyncedBody,
  handle: move(
    'synced',
    ({ body }, draft) => ({ externalRefs: mergeRefs(draft.externalRefs, body.externalRefs) }),
    (work, draft) => work.publish('draft.synced', draftData(draft)),
  ),
})

export const draftMoveEndpoints: Endpoint[] = [submit, reject, reopen, synced]
