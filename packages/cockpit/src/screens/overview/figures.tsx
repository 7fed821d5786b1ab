// The numbers at the top: today large, the week small, each leading to its rows.
import type { Stats } from '@parley/sdk'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { hrefOfRows } from './rows-behind'

type Count = Stats['totals']['callsMissed']
type Spread = NonNullable<Stats['totals']['timeToAnswerMs']>

/** A duration as one says it. */
function spoken(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  if (seconds < 60) return text.overview.seconds(seconds)
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? text.overview.minutes(minutes) : text.overview.hours(Math.round(minutes / 60))
}

export function Figures({ stats: { totals, series } }: { stats: Stats }) {
  const today = series.at(-1)
  const { timeToAnswerMs: answer, draftWaitMs: wait, draftsWaiting } = totals
  return (
    <div className="grid grid-cols-2 gap-x-6 gap-y-5 lg:grid-cols-5">
      <OfDay label={text.overview.answered} today={today?.callsAnswered} week={totals.callsAnswered} />
      <OfDay label={text.overview.missed} today={today?.callsMissed} week={totals.callsMissed} />
      <Figure label={text.overview.timeToAnswer} rows={answer?.rows} value={spokenHalf(answer)}>
        {answer === null ? text.overview.noCalls : text.overview.nineOfTen(spoken(answer.p90))}
      </Figure>
      <OfDay label={text.overview.texts} today={today?.textsReceived} week={totals.textsReceived} />
      <Figure label={text.overview.waiting} rows={draftsWaiting.rows} value={draftsWaiting.value}>
        {wait === null ? text.overview.noneWaits : text.overview.waitHalf(spoken(wait.p50))}
      </Figure>
      <OfDay label={text.overview.toVoicemail} today={today?.callsToVoicemail} week={totals.callsToVoicemail} />
      <OfDay label={text.overview.made} today={today?.callsMade} week={totals.callsMade} />
      <OfDay label={text.overview.textsSent} today={today?.textsSent} week={totals.textsSent} />
    </div>
  )
}

const spokenHalf = (spread: Spread | null): string => (spread === null ? text.nothing : spoken(spread.p50))

/** Two numbers, and so two links. */
function OfDay({ label, today, week }: { label: string; today: Count | undefined; week: Count }) {
  const place = usePlace()
  return (
    <div className="border-t-2 border-line pt-2">
      <Large label={label} rows={today?.rows} value={today?.value} />
      <GoLink
        href={hrefOfRows(place, week.rows)}
        className="block py-1 text-xs text-muted hover:text-accent hover:underline"
      >
        {text.overview.week(week.value)}
      </GoLink>
    </div>
  )
}

interface FigureProps {
  readonly label: string
  readonly rows: string | undefined
  readonly value: number | string | undefined
  readonly children: string
}

const Figure = ({ children, ...large }: FigureProps) => (
  <div className="border-t-2 border-line pt-2">
    <Large {...large} />
    <span className="block py-1 text-xs text-muted">{children}</span>
  </div>
)

function Large({ label, rows, value }: Omit<FigureProps, 'children'>) {
  const place = usePlace()
  const words = (
    <>
      <span className="block text-muted group-hover:text-accent">{label}</span>
      <span className="figures block min-h-9 text-xl font-semibold">{value}</span>
    </>
  )
  if (rows === undefined) return <div>{words}</div>
  return (
    <GoLink href={hrefOfRows(place, rows)} className="group block rounded-sm">
      {words}
    </GoLink>
  )
}
