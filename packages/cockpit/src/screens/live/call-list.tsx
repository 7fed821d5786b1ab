// The calls at the left: those that ring or run on top, then what ended lately.
import type { Call } from '@parley/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { PhoneIncoming, PhoneMissed, PhoneOutgoing, Voicemail } from 'lucide-react'
import { usePlace } from '../../api/place'
import { useFeedState } from '../../api/use-feed'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { clock, Elapsed, Moment } from '../../ui/moment'
import { Failure, Waiting } from '../../ui/states'
import { phoneText } from '../../ui/words'

interface CallListProps {
  readonly running: UseQueryResult<Call[]>
  readonly ended: readonly Call[]
  readonly shown: string | undefined
  readonly isWaiting: boolean
}

export function CallList({ running, ended, shown, isWaiting }: CallListProps) {
  if (running.isPending || isWaiting) return <Waiting />
  if (running.isError) return <Failure error={running.error} onRetry={() => void running.refetch()} />
  return (
    <div className="scroll-quiet min-h-0 flex-1 overflow-auto">
      <Group title={text.live.now} note={running.data.length === 0 ? text.live.none : undefined}>
        {running.data.map((call) => (
          <CallRow key={call.id} call={call} isShown={call.id === shown} isRunning />
        ))}
      </Group>
      {ended.length > 0 && (
        <Group title={text.live.ended}>
          {ended.map((call) => (
            <CallRow key={call.id} call={call} isShown={call.id === shown} isRunning={false} />
          ))}
        </Group>
      )}
    </div>
  )
}

function Group({ title, note, children }: { title: string; note?: string | undefined; children: React.ReactNode }) {
  return (
    <section className="pb-3">
      <h2 className="px-4 pt-3 pb-1 text-xs font-medium text-muted">{title}</h2>
      {note !== undefined && <p className="px-4 py-1 text-muted">{note}</p>}
      <ul>{children}</ul>
    </section>
  )
}

const icons: Readonly<Record<string, typeof PhoneIncoming>> = { missed: PhoneMissed, voicemail: Voicemail }

interface CallRowProps {
  readonly call: Call
  readonly isShown: boolean
  readonly isRunning: boolean
}

function CallRow({ call, isShown, isRunning }: CallRowProps) {
  const { at } = usePlace()
  // What may be old does not look as if it ran.
  const isLive = useFeedState() !== 'broken' && isRunning
  const Icon = icons[call.status] ?? (call.direction === 'inbound' ? PhoneIncoming : PhoneOutgoing)
  const look = isShown ? 'bg-accent-soft' : 'hover:bg-hover'
  const tone = isLive ? 'text-good' : call.status === 'missed' ? 'text-danger' : 'text-muted'
  return (
    <li>
      <GoLink
        href={at('live', call.id)}
        aria-current={isShown ? 'true' : undefined}
        className={`mx-2 flex items-start gap-2.5 rounded-md px-2 py-2 ${look}`}
      >
        <Icon size={15} aria-hidden className={`mt-0.5 shrink-0 ${tone} ${isLive ? 'pulse-dot' : ''}`} />
        <span className="min-w-0 flex-1">
          <span className="flex items-baseline justify-between gap-2">
            <span className="truncate font-medium">{call.callerName ?? phoneText(otherEnd(call))}</span>
            <span className={`text-xs ${isLive ? 'text-good' : 'text-muted'}`}>
              {isLive ? <Elapsed since={call.answeredAt ?? call.startedAt} /> : <Moment at={call.startedAt} />}
            </span>
          </span>
          <span className="block truncate text-muted">{lineOf(call)}</span>
        </span>
      </GoLink>
    </li>
  )
}

export const otherEnd = ({ direction, from, to }: Pick<Call, 'direction' | 'from' | 'to'>): string | null =>
  direction === 'inbound' ? from : to

/** The one line of substance: what it was about, or how it stands. */
function lineOf(call: Call): string {
  if (call.summary !== null) return call.summary
  const state = text.callStatus[call.status] ?? call.status
  return call.duration > 0 ? `${state} · ${clock(call.duration)}` : state
}
