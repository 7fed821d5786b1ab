// Review: drafts that wait, oldest first, decided by keyboard, with ten seconds to think again.
import type { Draft } from '@parley/sdk'
import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import { useGo, usePathParts, usePlace } from '../../api/place'
import { useKeys } from '../../frame/keys'
import { PlayCallButton } from '../../frame/play-call'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { ListAndDetail } from '../../ui/list-and-detail'
import { Moment } from '../../ui/moment'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { Badge, sentence } from '../../ui/words'
import { type Changes, DraftDetail, noChanges } from './draft-detail'
import { RejectDialog } from './reject-dialog'
import { useDecisions } from './use-decisions'

export function ReviewScreen() {
  const { parley, key, at } = usePlace()
  const [, named] = usePathParts('review')
  const go = useGo()
  const [changes, setChanges] = useState<Readonly<Record<string, Changes>>>({})
  const [isRejecting, setRejecting] = useState(false)
  const list = useEndless<Draft>([...key, 'drafts', 'waiting'], (page, signal) =>
    parley.drafts.list({ status: 'pending_review', sort: 'createdAt', ...page }, { signal }),
  )
  const decisions = useDecisions((draft) => go(at('review', draft.id)))
  const waiting = list.rows.filter(({ id }) => !decisions.isDecided(id))
  const index = Math.max(
    0,
    waiting.findIndex(({ id }) => id === named),
  )
  const current = waiting.find(({ id }) => id === named) ?? (named === undefined ? waiting[0] : undefined)
  const show = (draft: Draft | undefined) => go(draft ? at('review', draft.id) : at('review'), { replace: true })
  const step = (by: number) => show(waiting[Math.min(waiting.length - 1, Math.max(0, index + by))])
  /** The one below, else the one above. */
  const next = () => show(waiting[index + 1] ?? waiting[index - 1])
  const approve = () => {
    if (current && decisions.approve(current, changes[current.id] ?? noChanges)) next()
  }
  const reject = (reason: string) => {
    setRejecting(false)
    if (current === undefined) return
    decisions.reject(current, reason)
    next()
  }
  useKeys([
    { key: 'j', label: text.keys.next, run: () => step(1) },
    { key: 'k', label: text.keys.previous, run: () => step(-1) },
    { key: 'e', label: text.keys.edit, run: focusFirstField },
    { key: 'a', label: text.keys.approve, run: approve },
    { key: 'r', label: text.keys.reject, run: () => current && setRejecting(true) },
  ])
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  const aside = (
    <>
      <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-4">
        <h1 className="text-lg font-semibold">{text.screens.review}</h1>
        <span className="figures text-muted">{text.review.waiting(waiting.length, list.hasNextPage)}</span>
      </header>
      {waiting.length > 0 && (
        <Rows
          rows={waiting}
          rowHeight={60}
          label={text.screens.review}
          hasMore={list.hasNextPage}
          onMore={() => void list.fetchNextPage()}
          chosen={index}
        >
          {(draft) => <DraftRow draft={draft} isShown={draft.id === current?.id} />}
        </Rows>
      )}
      {waiting.length === 0 && (
        <div className="sm:hidden">
          <NothingWaits />
        </div>
      )}
    </>
  )
  return (
    <ListAndDetail label={text.screens.review} list={aside} isChosen={named !== undefined}>
      {current || named ? (
        <DraftDetail
          key={current?.id ?? named}
          draftId={current?.id ?? named ?? ''}
          changes={changes[current?.id ?? ''] ?? noChanges}
          onChange={(next) => current && setChanges({ ...changes, [current.id]: next })}
          onApprove={approve}
          onReject={() => setRejecting(true)}
        />
      ) : (
        <NothingWaits />
      )}
      {isRejecting && current && (
        <RejectDialog title={current.title ?? ''} onReject={reject} onClose={() => setRejecting(false)} />
      )}
    </ListAndDetail>
  )
}

const NothingWaits = () => (
  <Empty icon={<ClipboardCheck size={20} />} title={text.review.done} action={<PlayCallButton />}>
    {text.review.doneBody}
  </Empty>
)

const focusFirstField = () => document.querySelector<HTMLTextAreaElement>('[data-draft-field]')?.select()

function DraftRow({ draft, isShown }: { draft: Draft; isShown: boolean }) {
  const { at } = usePlace()
  return (
    <GoLink
      href={at('review', draft.id)}
      aria-current={isShown ? 'true' : undefined}
      className={`mx-2 my-0.5 flex h-14 flex-col justify-center rounded-md px-2.5 ${isShown ? 'bg-accent-soft' : 'hover:bg-hover'}`}
    >
      <span className="truncate font-medium">{draft.title ?? text.review.untitled}</span>
      <span className="flex items-center justify-between gap-2 text-muted">
        <span className="truncate">{sentence(draft.canonicalKind ?? 'work')}</span>
        {draft.missingFields.length > 0 && (
          <Badge tone="warning">{text.review.missing(draft.missingFields.length)}</Badge>
        )}
        <Moment at={draft.createdAt} className="text-xs" />
      </span>
    </GoLink>
  )
}
