// Deciding on drafts. An approval is sent after ten seconds, or at once when the page is left, under one key; until
// then it can be undone. Who was slower than somebody else is told so.
import type { CallSurface, Draft } from '@parley/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { defer, deferredOf } from '../../api/deferred'
import { type Place, usePlace } from '../../api/place'
import { useSession } from '../../api/session'
import { useEvents } from '../../api/use-feed'
import { dismiss, toast } from '../../frame/toasts'
import { text } from '../../text'
import { explain } from '../../ui/states'
import { approvalOf, type Changes, surfaceOf } from './draft-detail'

const deferId = ({ key }: Place, draftId: string): string => ['approve', ...key, draftId].join(' ')

export function useDecisions(onUndone: (draft: Draft) => void) {
  const place = usePlace()
  const { parley, key } = place
  const queries = useQueryClient()
  const me = useSession()?.user?.id
  const decidedKey = [...key, 'decided']
  // Out of the list, though the service does not know yet.
  const { data: decided = [] } = useQuery<readonly string[]>({
    queryKey: decidedKey,
    queryFn: () => [],
    staleTime: Number.POSITIVE_INFINITY,
  })
  const mark = (id: string, isDecided: boolean) =>
    queries.setQueryData<readonly string[]>(decidedKey, (ids = []) => [
      ...ids.filter((one) => one !== id),
      ...(isDecided ? [id] : []),
    ])
  const refresh = (id: string) =>
    queries.invalidateQueries({ queryKey: [...key, 'drafts'] }).then(() => mark(id, false))
  const name = (draft: Draft) => draft.title ?? text.review.untitled

  useEvents(({ type, data }) => {
    if (type !== 'draft.approved' && type !== 'draft.rejected') return
    const { draft } = data
    if (deferredOf(deferId(place, draft.id))?.cancel() !== true) return
    dismiss(draft.id)
    mark(draft.id, false)
    toast(
      type === 'draft.approved' ? text.review.approvedByOther(name(draft)) : text.review.rejectedByOther(name(draft)),
    )
  })

  const approve = (draft: Draft, changes: Changes) => {
    // What was looked at is what is approved; and a page that is being left has no time to ask again.
    const surface = queries.getQueryData<CallSurface>(surfaceOf(place, draft.callSessionId).queryKey)
    if (surface === undefined) return false
    const [idempotencyKey, body] = [crypto.randomUUID(), approvalOf(surface, changes)]
    const send = async () => {
      try {
        const approved = await parley.drafts.approve(draft.id, body, { idempotencyKey })
        if (me !== undefined && approved.approvedBy !== me) toast(text.review.approvedByOther(name(draft)))
      } catch (error) {
        toast(text.review.notApproved(name(draft), explain(error)), { tone: 'danger' })
      }
      await refresh(draft.id)
    }
    mark(draft.id, true)
    const deferred = defer(deferId(place, draft.id), () => void send())
    const undo = () => {
      if (!deferred.cancel()) return
      mark(draft.id, false)
      onUndone(draft)
    }
    toast(text.review.approved(name(draft)), { id: draft.id, undo })
    return true
  }

  const reject = (draft: Draft, reason: string) => {
    mark(draft.id, true)
    const undo = () =>
      void parley.drafts.reopen(draft.id).then(
        () => refresh(draft.id).then(() => onUndone(draft)),
        (error: unknown) => toast(explain(error), { tone: 'danger' }),
      )
    parley.drafts.reject(draft.id, { reason: reason || null }).then(
      () => {
        toast(text.review.rejected(name(draft)), { id: draft.id, undo })
        return refresh(draft.id)
      },
      (error: unknown) => {
        toast(text.review.notRejected(name(draft), explain(error)), { tone: 'danger' })
        return refresh(draft.id)
      },
    )
  }

  return { approve, reject, isDecided: (id: string) => decided.includes(id) }
}
