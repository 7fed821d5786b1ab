// Text threads: open ones first, then by their last message.
import type { Conversation } from '@parley/sdk'
import { MessageSquareText } from 'lucide-react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { phoneText } from '../../ui/words'
import { InboxRow } from './inbox-row'
import { useNames } from './use-names'

export function ThreadList({ shown }: { shown: string | undefined }) {
  const { parley, key, at } = usePlace()
  const list = useEndless<Conversation>([...key, 'threads'], (page, signal) =>
    parley.conversations.list({ channel: 'sms', sort: '-updatedAt', ...page }, { signal }),
  )
  const names = useNames(list.rows.map(({ personId }) => personId))
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.rows.length === 0)
    return (
      <Empty icon={<MessageSquareText size={20} />} title={text.inbox.noTexts}>
        {text.inbox.noTextsBody}
      </Empty>
    )
  const rows = list.rows.toSorted((a, b) => Number(b.status === 'open') - Number(a.status === 'open'))
  return (
    <Rows
      rows={rows}
      rowHeight={60}
      label={text.inbox.texts}
      hasMore={list.hasNextPage}
      onMore={() => void list.fetchNextPage()}
    >
      {({ id, personId, participantAddress, lastMessagePreview, lastMessageAt, createdAt, status }) => (
        <InboxRow
          href={at('inbox', 'texts', id)}
          who={names.get(personId ?? '') ?? phoneText(participantAddress)}
          line={lastMessagePreview ?? ''}
          at={lastMessageAt ?? createdAt}
          isShown={id === shown}
          isNew={status === 'open'}
        />
      )}
    </Rows>
  )
}
