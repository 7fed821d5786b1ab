// Text threads: those that nobody has read first, then by their last message. The one being read keeps its place.
import type { Conversation } from '@parley/sdk'
import { Check, MessageSquareText } from 'lucide-react'
import { useEffect, useState } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { phoneText } from '../../ui/words'
import { InboxRow } from './inbox-row'
import { useNames } from './use-names'

/** That somebody else has read a thread is told by no event. */
const REFRESH_MS = 30_000

const useThreads = (isUnread: boolean) => {
  const { parley, key } = usePlace()
  return useEndless<Conversation>(
    [...key, 'threads', isUnread ? 'unread' : 'read'],
    (page, signal) =>
      parley.conversations.list({ channel: 'sms', isUnread, sort: '-lastMessageAt', ...page }, { signal }),
    isUnread ? REFRESH_MS : undefined,
  )
}

export function ThreadList({ shown }: { shown: string | undefined }) {
  const { at } = usePlace()
  const [unread, read] = [useThreads(true), useThreads(false)]
  const [kept, setKept] = useState<string>()
  const isShownUnread = unread.rows.some(({ id }) => id === shown)
  useEffect(() => {
    if (isShownUnread) setKept(shown)
  }, [isShownUnread, shown])
  const isFirst = ({ id, isUnread }: Conversation) => isUnread || (id === kept && id === shown)
  // A thread may be in both lists for a moment, when one of them is read before the other.
  const known = new Map([...(unread.hasNextPage ? [] : read.rows), ...unread.rows].map((row) => [row.id, row]))
  const rows = [...known.values()].toSorted(
    (a, b) => Number(isFirst(b)) - Number(isFirst(a)) || ((a.lastMessageAt ?? '') < (b.lastMessageAt ?? '') ? 1 : -1),
  )
  const names = useNames(rows.map(({ personId }) => personId))
  const error = unread.error ?? read.error
  if (unread.isPending || read.isPending) return <Waiting />
  if (error) return <Failure error={error} onRetry={() => void Promise.all([unread.refetch(), read.refetch()])} />
  if (rows.length === 0)
    return (
      <Empty icon={<MessageSquareText size={20} />} title={text.inbox.noTexts}>
        {text.inbox.noTextsBody}
      </Empty>
    )
  return (
    <Rows
      rows={rows}
      rowHeight={60}
      label={text.inbox.texts}
      hasMore={unread.hasNextPage || read.hasNextPage}
      onMore={() => void (unread.hasNextPage ? unread : read).fetchNextPage()}
      onTop={read.onTop}
    >
      {(thread) => (
        <InboxRow
          href={at('inbox', 'texts', thread.id)}
          who={names.get(thread.personId ?? '') ?? phoneText(thread.participantAddress)}
          line={thread.lastMessagePreview ?? ''}
          at={thread.lastMessageAt ?? thread.createdAt}
          isShown={thread.id === shown}
          isNew={thread.isUnread}
          count={thread.unreadCount}
          icon={thread.status === 'closed' ? <Check size={13} aria-label={text.inbox.markDone} /> : undefined}
        />
      )}
    </Rows>
  )
}
