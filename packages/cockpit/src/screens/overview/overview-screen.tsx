// Overview: what happened today and in the last seven days, each number leading to its rows.
import type { Stats } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { useExact } from '../../ui/moment'
import { Body, Page } from '../../ui/page'
import { Failure, Waiting } from '../../ui/states'
import { Checklist } from './checklist'
import { DayBars } from './day-bars'
import { FactAcceptance } from './fact-acceptance'
import { WebhookHealth } from './webhook-health'

const REFRESH_MS = 30_000

/** A duration as one says it. */
function spoken(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return text.overview.seconds(seconds)
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? text.overview.minutes(minutes) : text.overview.hours(Math.round(minutes / 60))
}

export function OverviewScreen() {
  const { parley, key } = usePlace()
  const stats = useQuery({
    queryKey: [...key, 'calls', 'stats'],
    queryFn: ({ signal }) => parley.stats({ interval: 'day' }, { signal }),
    refetchInterval: REFRESH_MS,
  })
  return (
    <Page title={text.screens.overview}>
      <Body>
        {stats.isPending && <Waiting />}
        {stats.isError && <Failure error={stats.error} onRetry={() => void stats.refetch()} />}
        {stats.data && (
          <div className="grid max-w-5xl gap-8">
            <Checklist />
            <Figures stats={stats.data} />
            <CallsChart stats={stats.data} />
            <div className="grid gap-8 lg:grid-cols-2">
              <FactAcceptance facts={stats.data.totals.facts} />
              <WebhookHealth webhooks={stats.data.totals.webhooks} />
            </div>
          </div>
        )}
      </Body>
    </Page>
  )
}

function Figures({ stats: { totals, series } }: { stats: Stats }) {
  const { at } = usePlace()
  const today = series.at(-1)
  const week = (value: number) => text.overview.week(value)
  const answer = totals.timeToAnswerMs
  const wait = totals.draftWaitMs
  return (
    <div className="grid grid-cols-2 gap-x-6 gap-y-5 lg:grid-cols-5">
      <Figure
        href={at('live')}
        label={text.overview.answered}
        value={today?.callsAnswered.value}
        note={week(totals.callsAnswered.value)}
      />
      <Figure
        href={at('inbox', 'missed')}
        label={text.overview.missed}
        value={today?.callsMissed.value}
        note={week(totals.callsMissed.value)}
      />
      <Figure
        href={at('live')}
        label={text.overview.timeToAnswer}
        value={answer === null ? text.nothing : spoken(answer.p50)}
        note={answer === null ? text.overview.noCalls : text.overview.nineOfTen(spoken(answer.p90))}
      />
      <Figure
        href={at('inbox', 'texts')}
        label={text.overview.texts}
        value={today?.textsReceived.value}
        note={week(totals.textsReceived.value)}
      />
      <Figure
        href={at('review')}
        label={text.overview.waiting}
        value={totals.draftsWaiting.value}
        note={wait === null ? text.overview.noneWaits : text.overview.waitHalf(spoken(wait.p50))}
      />
    </div>
  )
}

function CallsChart({ stats: { series, timezone } }: { stats: Stats }) {
  const exact = useExact()
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">
        {text.overview.perDay} <span className="font-normal text-muted">{timezone}</span>
      </h2>
      <DayBars
        days={series.map(({ at, callsAnswered, callsMissed }) => ({
          label: `${exact(at, { weekday: 'short' })} ${exact(at, { day: 'numeric' })}`,
          answered: callsAnswered.value,
          missed: callsMissed.value,
        }))}
      />
    </section>
  )
}

interface FigureProps {
  readonly href: string
  readonly label: string
  readonly value: number | string | undefined
  readonly note: string
}

const Figure = ({ href, label, value, note }: FigureProps) => (
  <GoLink href={href} className="group border-t-2 border-line pt-2 hover:border-accent">
    <span className="block text-muted group-hover:text-accent">{label}</span>
    <span className="figures block min-h-9 text-xl font-semibold">{value}</span>
    <span className="block text-xs text-muted">{note}</span>
  </GoLink>
)
