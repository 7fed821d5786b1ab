// Voicemails: those nobody has listened to first.
import type { Voicemail } from '@parley/sdk'
import { Voicemail as VoicemailIcon } from 'lucide-react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { phoneText } from '../../ui/words'
import { InboxRow } from './inbox-row'
import { useNames } from './use-names'

export function VoicemailList({ shown }: { shown: string | undefined }) {
  const { parley, key, at } = usePlace()
  const list = useEndless<Voicemail>([...key, 'voicemails'], (page, signal) => parley.voicemails.list(page, { signal }))
  const names = useNames(list.rows.map(({ personId }) => personId))
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.rows.length === 0)
    return (
      <Empty icon={<VoicemailIcon size={20} />} title={text.inbox.noVoicemails}>
        {text.inbox.noVoicemailsBody}
      </Empty>
    )
  const rows = list.rows.toSorted((a, b) => Number(a.listenedAt !== null) - Number(b.listenedAt !== null))
  return (
    <Rows
      rows={rows}
      rowHeight={60}
      label={text.inbox.voicemails}
      hasMore={list.hasNextPage}
      onMore={() => void list.fetchNextPage()}
    >
      {({ id, personId, callerNumber, transcript, createdAt, listenedAt }) => (
        <InboxRow
          href={at('inbox', 'voicemails', id)}
          who={names.get(personId ?? '') ?? phoneText(callerNumber)}
          line={transcript ?? text.inbox.noTranscript}
          at={createdAt}
          isShown={id === shown}
          isNew={listenedAt === null}
        />
      )}
    </Rows>
  )
}
