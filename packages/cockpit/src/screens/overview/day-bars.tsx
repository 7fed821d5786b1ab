// Bars for each day: answered and missed calls, with the numbers written down; each leads to its calls.
import type { Stats } from '@parley/sdk'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { hrefOfRows } from './rows-behind'

type Count = Stats['totals']['callsMissed']

interface DayBarsProps {
  readonly days: readonly { readonly label: string; readonly answered: Count; readonly missed: Count }[]
}

const HEIGHT = 120

export function DayBars({ days }: DayBarsProps) {
  const place = usePlace()
  const most = Math.max(1, ...days.map(({ answered, missed }) => answered.value + missed.value))
  const px = (count: number) => (count === 0 ? 0 : Math.max(3, (count / most) * HEIGHT))
  const bar = (name: string, { value, rows }: Count, look: string) =>
    value > 0 && (
      <GoLink
        href={hrefOfRows(place, rows)}
        aria-label={name}
        title={name}
        className={`w-full max-w-10 hover:opacity-80 ${look}`}
        style={{ height: px(value) }}
      />
    )
  return (
    <figure>
      <div className="flex items-end gap-2 border-b border-line" style={{ height: HEIGHT + 24 }}>
        {days.map(({ label, answered, missed }) => (
          <div key={label} className="flex flex-1 flex-col items-center justify-end">
            <span className="figures text-xs text-muted">{answered.value + missed.value || ''}</span>
            {bar(text.overview.missedOn(label, missed.value), missed, 'rounded-t-sm bg-danger')}
            {bar(text.overview.answeredOn(label, answered.value), answered, 'bg-accent')}
          </div>
        ))}
      </div>
      <div aria-hidden className="flex gap-2 pt-1 text-center text-xs text-muted">
        {days.map(({ label }) => (
          <span key={label} className="flex-1 truncate">
            {label}
          </span>
        ))}
      </div>
      <figcaption className="flex gap-4 pt-3 text-xs text-muted">
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden className="size-2.5 rounded-sm bg-accent" /> {text.overview.answeredKey}
        </span>
        <span className="inline-flex items-center gap-1.5">
          <span aria-hidden className="size-2.5 rounded-sm bg-danger" /> {text.overview.missedKey}
        </span>
      </figcaption>
    </figure>
  )
}
