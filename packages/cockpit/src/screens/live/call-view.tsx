// One call: who and how long, what is said, and beside it what is learned, proposed and known.
import type { CallSurface } from '@parley/sdk'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { BackToList } from '../../ui/list-and-detail'
import { clock, Elapsed, Moment } from '../../ui/moment'
import { RecordTools } from '../../ui/record-tools'
import { Failure, Waiting } from '../../ui/states'
import { Badge, Phone, sentence, type Tone } from '../../ui/words'
import { CallAside } from './call-aside'
import { otherEnd } from './call-list'
import { HighlightProvider } from './highlight'
import { Transcript } from './transcript'
import { useCall, type Watching } from './use-call'

const parts = ['transcript', 'details'] as const

export function CallView({ callId }: { callId: string }) {
  const { surface, segments, isReady, watching } = useCall(callId)
  const [part, setPart] = useState<(typeof parts)[number]>('transcript')
  if (surface.isError) return <Failure error={surface.error} onRetry={() => void surface.refetch()} />
  if (surface.data === undefined || !isReady) return <Waiting />
  const { call, person } = surface.data
  const name = person?.displayName ?? call.callerName ?? text.speakers['caller'] ?? ''
  return (
    <HighlightProvider>
      <article className="flex h-full flex-col">
        <CallHeader surface={surface.data} name={name} watching={watching} />
        <div role="tablist" aria-label={text.live.parts} className="flex border-b border-line md:hidden">
          {parts.map((one) => (
            <button
              key={one}
              type="button"
              role="tab"
              aria-selected={one === part}
              onClick={() => setPart(one)}
              className={`h-11 flex-1 border-b-2 font-medium ${one === part ? 'border-accent text-accent' : 'border-transparent text-muted'}`}
            >
              {text.live[one]}
            </button>
          ))}
        </div>
        <div className="flex min-h-0 flex-1">
          <div className={`flex min-w-0 flex-1 flex-col bg-surface ${part === 'transcript' ? '' : 'max-md:hidden'}`}>
            <Ending surface={surface.data} />
            <Transcript segments={segments} facts={surface.data.facts} callerName={name} isLive={surface.data.live} />
          </div>
          <div className={`w-full shrink-0 md:w-80 xl:w-96 ${part === 'details' ? '' : 'max-md:hidden'}`}>
            <CallAside surface={surface.data} />
          </div>
        </div>
      </article>
    </HighlightProvider>
  )
}

interface HeaderProps {
  readonly surface: CallSurface
  readonly name: string
  readonly watching: Watching
}

function CallHeader({ surface: { call, live, signals }, name, watching }: HeaderProps) {
  const { at } = usePlace()
  return (
    <header className="flex min-h-14 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2">
      <BackToList href={at('live')} />
      <h2 className="truncate text-lg font-semibold">{name}</h2>
      <Phone number={otherEnd(call)} className="text-muted" />
      <Standing live={live} status={call.status} watching={watching} />
      <span className="text-muted">
        {live && watching !== 'broken' ? (
          <Elapsed since={call.answeredAt ?? call.startedAt} />
        ) : (
          <Moment at={call.startedAt} />
        )}
        {!live && call.duration > 0 && <span className="figures"> · {clock(call.duration)}</span>}
      </span>
      <span className="ms-auto flex flex-wrap items-center gap-1.5">
        {signals.map(({ id, kind, severity, confidence }) => (
          <span
            key={id}
            title={text.confidence(`${Math.round(confidence * 100)} %`)}
            className={`appear inline-flex items-center gap-1 rounded-full px-2 text-xs leading-5 font-medium ${signalTones[severity] ?? signalTones['info']}`}
          >
            <TriangleAlert size={12} aria-hidden />
            {sentence(kind)}
          </span>
        ))}
        <RecordTools slug="calls" id={call.id} />
      </span>
    </header>
  )
}

const signalTones: Readonly<Record<string, string>> = {
  info: 'bg-info-soft text-info',
  warning: 'bg-warning-soft text-warning',
  critical: 'bg-danger-soft text-danger',
}

const statusTones: Readonly<Record<string, Tone>> = { missed: 'danger', failed: 'danger', voicemail: 'warning' }

/** Live only while the stream is: what may be old never looks new. */
function Standing({ live, status, watching }: { live: boolean; status: string; watching: Watching }) {
  if (!live) return <Badge tone={statusTones[status] ?? 'neutral'}>{text.callStatus[status] ?? sentence(status)}</Badge>
  if (watching === 'broken') return <Badge tone="warning">{text.live.broken}</Badge>
  return (
    <span className="inline-flex items-center gap-1.5 rounded-full bg-good-soft px-2 text-xs leading-5 font-medium text-good">
      <span aria-hidden className="pulse-dot size-1.5 rounded-full bg-good" />
      {status === 'ringing' ? text.callStatus['ringing'] : text.live.badge}
    </span>
  )
}

function Ending({ surface: { live, summary } }: { surface: CallSurface }) {
  if (live || summary.text === null) return null
  return (
    <section className="appear mx-4 mt-4 rounded-md border border-line bg-canvas px-4 py-3 sm:mx-8">
      <h3 className="pb-0.5 text-xs font-medium text-muted">{text.live.summary}</h3>
      <p className="text-base text-pretty">{summary.text}</p>
    </section>
  )
}
