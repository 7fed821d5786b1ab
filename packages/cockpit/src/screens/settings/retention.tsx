// How long things are kept. The operator decides that for the whole service, so it is shown and not changed here.
import { useSchema } from '../../api/schema'
import { text } from '../../text'
import { Waiting } from '../../ui/states'

export function Retention() {
  const limits = useSchema()?.limits
  const days = limits?.['retentionDays']
  const hours = limits?.['idempotencyHours']
  if (days === undefined || hours === undefined) return <Waiting />
  const rows = [
    [text.settings.keptRecords, text.settings.keptAlways],
    [text.settings.keptEvents, text.settings.keptDays(days)],
    [text.settings.keptDeliveries, text.settings.keptDays(days)],
    [text.settings.keptInbound, text.settings.keptDays(days)],
    [text.settings.keptDeleted, text.settings.keptDays(days)],
    [text.settings.keptKeys, text.settings.keptHours(hours)],
  ] as const
  return (
    <div className="grid max-w-3xl gap-4">
      <p className="text-muted">{text.settings.retentionIntro}</p>
      <dl className="divide-y divide-line border-y border-line">
        {rows.map(([what, time]) => (
          <div key={what} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2.5">
            <dt>{what}</dt>
            <dd className="figures font-medium">{time}</dd>
          </div>
        ))}
      </dl>
      <p className="text-muted">{text.settings.retentionHow}</p>
    </div>
  )
}
