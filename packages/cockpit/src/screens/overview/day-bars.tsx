// Bars for each day: answered and missed calls, with the numbers written down.
import { text } from '../../text'

interface DayBarsProps {
  readonly days: readonly { readonly label: string; readonly answered: number; readonly missed: number }[]
}

const HEIGHT = 120

export function DayBars({ days }: DayBarsProps) {
  const most = Math.max(1, ...days.map(({ answered, missed }) => answered + missed))
  const px = (count: number) => (count === 0 ? 0 : Math.max(3, (count / most) * HEIGHT))
  return (
    <figure>
      <div className="flex items-end gap-2 border-b border-line" style={{ height: HEIGHT + 24 }}>
        {days.map(({ label, answered, missed }) => (
          <div
            key={label}
            className="flex flex-1 flex-col items-center justify-end"
            title={text.overview.dayTitle(label, answered, missed)}
          >
            <span className="figures text-xs text-muted">{answered + missed || ''}</span>
            <span className="w-full max-w-10 rounded-t-sm bg-danger" style={{ height: px(missed) }} />
            <span className="w-full max-w-10 bg-accent" style={{ height: px(answered) }} />
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
