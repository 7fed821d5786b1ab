// Overview: what happened today and in the last seven days, each number leading to its rows.
import type { Stats } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePathParts, usePlace } from '../../api/place'
import { text } from '../../text'
import { useExact } from '../../ui/moment'
import { Body, Page } from '../../ui/page'
import { Failure, Waiting } from '../../ui/states'
import { Checklist } from './checklist'
import { DayBars } from './day-bars'
import { FactAcceptance } from './fact-acceptance'
import { Figures } from './figures'
import { RowsBehind } from './rows-behind'
import { WebhookHealth } from './webhook-health'

const REFRESH_MS = 30_000

export function OverviewScreen() {
  const [, list] = usePathParts('overview')
  return list === undefined ? <Overview /> : <RowsBehind />
}

function Overview() {
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
          <div className="grid max-w-5xl grid-cols-[minmax(0,1fr)] gap-8">
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

function CallsChart({ stats: { series, timezone } }: { stats: Stats }) {
  const exact = useExact()
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 className="font-semibold">
        {text.overview.perDay} <span className="font-normal text-muted">{timezone}</span>
      </h2>
      <DayBars
        days={series.map(({ at, callsAnswered, callsMissed }) => ({
          label: `${exact(at, { weekday: 'short' })} ${exact(at, { day: 'numeric' })}`,
          answered: callsAnswered,
          missed: callsMissed,
        }))}
      />
    </section>
  )
}
