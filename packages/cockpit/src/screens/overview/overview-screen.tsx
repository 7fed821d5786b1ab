// Overview: what happened in a week, counted from the very lists that each number leads to.
import { useQueries, useQuery } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { Moment, useExact } from '../../ui/moment'
import { Body, Page } from '../../ui/page'
import { Checklist } from './checklist'
import { DayBars } from './day-bars'

const DAYS = 7
const DAY_MS = 86_400_000
const REFRESH_MS = 60_000

/** Midnight in a zone, so many days ago, as a time. */
function midnight(daysAgo: number, timeZone: string): Date {
  const then = new Date(Date.now() - daysAgo * DAY_MS)
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  const clock = Object.fromEntries(parts.formatToParts(then).map(({ type, value }) => [type, Number(value)]))
  const passed = (clock['hour'] ?? 0) * 3_600 + (clock['minute'] ?? 0) * 60 + (clock['second'] ?? 0)
  return new Date(Math.floor(then.getTime() / 1_000) * 1_000 - passed * 1_000)
}

interface DayCount {
  readonly day: Date
  readonly answered: number
  readonly missed: number
  readonly texts: number
}

/** Counts of the last days, today last. A day that is over is not asked for again soon. */
function useDays(timeZone: string): readonly DayCount[] {
  const { parley, key } = usePlace()
  const days = Array.from({ length: DAYS }, (_, index) => DAYS - 1 - index)
  return useQueries({
    queries: days.map((ago) => ({
      queryKey: [...key, ago === 0 ? 'calls' : 'days', 'counts', ago, timeZone],
      queryFn: async ({ signal }: { signal: AbortSignal }): Promise<DayCount> => {
        const [from, before] = [
          midnight(ago, timeZone),
          ago === 0 ? new Date(Date.now() + DAY_MS) : midnight(ago - 1, timeZone),
        ]
        const span = { startedAtFrom: from, startedAtBefore: before, limit: 1, count: true }
        const [answered, missed, texts] = await Promise.all([
          parley.calls.list({ status: 'completed', ...span }, { signal }),
          parley.calls.list({ status: 'missed', ...span }, { signal }),
          parley.sms.list(
            { direction: 'inbound', sentAtFrom: from, sentAtBefore: before, limit: 1, count: true },
            { signal },
          ),
        ])
        return { day: from, answered: answered.count ?? 0, missed: missed.count ?? 0, texts: texts.count ?? 0 }
      },
      staleTime: ago === 0 ? REFRESH_MS : 30 * REFRESH_MS,
    })),
    combine: (results) => results.flatMap(({ data }) => (data ? [data] : [])),
  })
}

export function OverviewScreen() {
  const { parley, key, at } = usePlace()
  const { data: organization } = useQuery({
    queryKey: [...key, 'organization'],
    queryFn: ({ signal }) => parley.organization.get({ signal }),
    staleTime: 300_000,
  })
  const zone = organization?.settings.timezone ?? 'UTC'
  const days = useDays(zone)
  const { data: waiting } = useQuery({
    queryKey: [...key, 'drafts', 'oldest'],
    queryFn: async ({ signal }) => {
      const asked = { status: 'pending_review', sort: 'createdAt', limit: 1, count: true } as const
      const page = await parley.drafts.list(asked, { signal })
      return { count: page.count ?? 0, oldest: page.data[0]?.createdAt }
    },
  })
  const today = days.at(-1)
  const sum = (name: 'answered' | 'missed' | 'texts') => days.reduce((total, day) => total + day[name], 0)
  return (
    <Page title={text.screens.overview}>
      <Body>
        <div className="grid max-w-5xl gap-8">
          <Checklist />
          <div className="grid grid-cols-2 gap-x-6 gap-y-5 lg:grid-cols-4">
            <Figure
              href={at('live')}
              label={text.overview.answered}
              value={today?.answered}
              note={text.overview.week(sum('answered'))}
            />
            <Figure
              href={at('inbox', 'missed')}
              label={text.overview.missed}
              value={today?.missed}
              note={text.overview.week(sum('missed'))}
            />
            <Figure
              href={at('inbox', 'texts')}
              label={text.overview.texts}
              value={today?.texts}
              note={text.overview.week(sum('texts'))}
            />
            <Figure
              href={at('review')}
              label={text.overview.waiting}
              value={waiting?.count}
              note={
                waiting?.oldest === undefined ? (
                  text.overview.noneWaits
                ) : (
                  <>
                    {text.overview.oldest} <Moment at={waiting.oldest} />
                  </>
                )
              }
            />
          </div>
          <CallsChart days={days} zone={zone} />
        </div>
      </Body>
    </Page>
  )
}

function CallsChart({ days, zone }: { days: readonly DayCount[]; zone: string }) {
  const exact = useExact()
  return (
    <section className="grid gap-3">
      <h2 className="font-semibold">
        {text.overview.perDay} <span className="font-normal text-muted">{zone}</span>
      </h2>
      <DayBars
        days={days.map(({ day, answered, missed }) => ({
          label: exact(day.toISOString(), { weekday: 'short', day: 'numeric' }),
          answered,
          missed,
        }))}
      />
    </section>
  )
}

interface FigureProps {
  readonly href: string
  readonly label: string
  readonly value: number | undefined
  readonly note: React.ReactNode
}

const Figure = ({ href, label, value, note }: FigureProps) => (
  <GoLink href={href} className="group rounded-md border-t-2 border-line pt-2 hover:border-accent">
    <span className="block text-muted group-hover:text-accent">{label}</span>
    <span className="figures block min-h-9 text-xl font-semibold">{value}</span>
    <span className="block text-xs text-muted">{note}</span>
  </GoLink>
)
