// One draft: what is proposed beside what is known, each with the words it came from; edited in place.
import { draftMoves } from '@parley/contract/states'
import type { CallSurface, Draft, DraftApproval } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { Check, X } from 'lucide-react'
import { type Place, usePlace } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { GoLink } from '../../ui/go-link'
import { BackToList } from '../../ui/list-and-detail'
import { Moment } from '../../ui/moment'
import { RecordTools } from '../../ui/record-tools'
import { Failure, Waiting } from '../../ui/states'
import { Badge, sentence, typedAs } from '../../ui/words'
import { ProposedFields } from './proposed-fields'

/** What the reader changed before deciding: values by key, and facts that are not true. */
export interface Changes {
  readonly values: Readonly<Record<string, string>>
  readonly refused: readonly string[]
}
export const noChanges: Changes = { values: {}, refused: [] }

export const surfaceOf = ({ parley, key }: Place, callId: string) => ({
  queryKey: [...key, 'surface', callId],
  queryFn: ({ signal }: { signal: AbortSignal }) => parley.calls.surface(callId, { signal }),
})

/** The whole decision in one request: edits, facts that hold, and facts that do not. */
export function approvalOf({ facts, draftFields }: CallSurface, { values, refused }: Changes): DraftApproval {
  const edited = draftFields.filter(({ key }) => values[key] !== undefined)
  const contradicted = edited.flatMap(({ source, factId }) => (source === 'fact' && factId !== null ? [factId] : []))
  const no = new Set([...refused, ...contradicted])
  const open = facts.filter(({ status }) => status === 'proposed').map(({ id }) => id)
  return {
    payload: Object.fromEntries(edited.map(({ key, value }) => [key, typedAs(value, values[key] ?? '')])),
    acceptFactIds: open.filter((id) => !no.has(id)),
    rejectFactIds: open.filter((id) => no.has(id)),
  }
}

interface DetailProps {
  readonly draftId: string
  readonly changes: Changes
  readonly onChange: (changes: Changes) => void
  readonly onApprove: () => void
  readonly onReject: () => void
}

export function DraftDetail({ draftId, changes, onChange, onApprove, onReject }: DetailProps) {
  const place = usePlace()
  const draft = useQuery({
    queryKey: [...place.key, 'drafts', 'one', draftId],
    queryFn: ({ signal }) => place.parley.drafts.get(draftId, { signal }),
  })
  const callId = draft.data?.callSessionId ?? ''
  const surface = useQuery({ ...surfaceOf(place, callId), enabled: callId !== '' })
  const error = draft.error ?? surface.error
  if (error) return <Failure error={error} onRetry={() => void draft.refetch()} />
  if (!draft.data || !surface.data) return <Waiting />
  const isOpen = draftMoves.approve.from.some((status) => status === draft.data.status)
  return (
    <article className="flex h-full flex-col">
      <Heading draft={draft.data} surface={surface.data}>
        {isOpen ? (
          <>
            <Button look="danger" icon={<X size={14} aria-hidden />} hint="r" onClick={onReject}>
              {text.review.reject}
            </Button>
            <Button look="primary" icon={<Check size={15} aria-hidden />} hint="a" onClick={onApprove}>
              {text.review.approve}
            </Button>
          </>
        ) : (
          <Decided draft={draft.data} />
        )}
      </Heading>
      <div className="scroll-quiet min-h-0 flex-1 overflow-auto">
        {surface.data.summary.text !== null && (
          <p className="max-w-3xl px-4 pt-4 text-base text-pretty sm:px-6">{surface.data.summary.text}</p>
        )}
        <ProposedFields
          draft={draft.data}
          surface={surface.data}
          isOpen={isOpen}
          changes={changes}
          onChange={onChange}
        />
      </div>
    </article>
  )
}

function Heading({ draft, surface, children }: { draft: Draft; surface: CallSurface; children: React.ReactNode }) {
  const { at } = usePlace()
  return (
    <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 sm:px-6">
      <BackToList href={at('review')} />
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="truncate text-base font-semibold">{draft.title ?? text.review.untitled}</h2>
        <p className="flex flex-wrap gap-x-2 text-muted">
          {sentence(draft.canonicalKind ?? 'work')}
          <span>·</span>
          <GoLink href={at('live', draft.callSessionId)} className="text-accent hover:underline">
            {text.review.callWith(surface.person?.displayName ?? surface.call.callerName ?? text.unknown)}
          </GoLink>
          <span>·</span>
          <Moment at={draft.createdAt} />
        </p>
      </div>
      <div className="flex items-center gap-2 max-sm:w-full max-sm:[&>button]:flex-1 max-sm:[&>button]:justify-center">
        {children}
        <RecordTools slug="drafts" id={draft.id} />
      </div>
    </header>
  )
}

function Decided({ draft }: { draft: Draft }) {
  const { at } = usePlace()
  const isGood = draft.status === 'approved' || draft.status === 'synced'
  return (
    <>
      <Badge tone={isGood ? 'good' : 'danger'}>{text.draftStatus[draft.status] ?? sentence(draft.status)}</Badge>
      {draft.workRecordId !== null && (
        <GoLink href={at('work', draft.workRecordId)} className="font-medium text-accent hover:underline">
          {text.review.openWork}
        </GoLink>
      )}
    </>
  )
}
