// Inbox: text threads, voicemails and missed calls, what nobody has seen first.
import { Inbox } from 'lucide-react'
import { usePathParts, usePlace } from '../../api/place'
import { PlayCallButton } from '../../frame/play-call'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { ListAndDetail } from '../../ui/list-and-detail'
import { Empty } from '../../ui/states'
import { MissedCall, MissedList } from './missed-calls'
import { Thread } from './thread'
import { ThreadList } from './thread-list'
import { VoicemailList } from './voicemail-list'
import { VoicemailView } from './voicemail-view'

const parts = ['texts', 'voicemails', 'missed'] as const
const lists = { texts: ThreadList, voicemails: VoicemailList, missed: MissedList }
const views = { texts: Thread, voicemails: VoicemailView, missed: MissedCall }

export function InboxScreen() {
  const { at } = usePlace()
  const [, named, id] = usePathParts('inbox')
  const part = parts.find((one) => one === named) ?? 'texts'
  const [List, View] = [lists[part], views[part]]
  const aside = (
    <>
      <header className="px-4 pt-3.5">
        <h1 className="text-lg font-semibold">{text.screens.inbox}</h1>
      </header>
      <nav aria-label={text.screens.inbox} className="flex gap-1 border-b border-line px-2 pt-1">
        {parts.map((one) => (
          <GoLink
            key={one}
            href={at('inbox', one)}
            aria-current={one === part ? 'page' : undefined}
            className={`-mb-px flex h-9 items-center border-b-2 px-2 font-medium max-sm:h-11 ${one === part ? 'border-accent text-accent' : 'border-transparent text-muted hover:text-ink'}`}
          >
            {text.inbox[one]}
          </GoLink>
        ))}
      </nav>
      <List shown={id} />
    </>
  )
  return (
    <ListAndDetail label={text.screens.inbox} list={aside} isChosen={id !== undefined}>
      {id === undefined ? (
        <Empty icon={<Inbox size={20} />} title={text.inbox.choose} action={<PlayCallButton look="plain" />}>
          {text.inbox.chooseBody}
        </Empty>
      ) : (
        <View key={id} id={id} />
      )}
    </ListAndDetail>
  )
}
