// What a record was and became, newest first, as differences.
import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Moment } from '../../ui/moment'
import { Section } from '../../ui/section'
import { sentence, valueText } from '../../ui/words'

export function HistoryList({ entityType, entityId }: { entityType: string; entityId: string }) {
  const { parley, key } = usePlace()
  const { data = [] } = useQuery({
    queryKey: [...key, 'history', entityId],
    queryFn: async ({ signal }) =>
      (await parley.fieldHistoryEntries.list({ entityType, entityId, limit: 50 }, { signal })).data,
  })
  const changes = data.filter(({ field }) => field !== null)
  return (
    <Section title={text.history.title}>
      {changes.length === 0 && <p className="text-muted">{text.history.none}</p>}
      <ol className="grid gap-2">
        {changes.map(({ id, field, previousValue, newValue, changedAt, actor }) => (
          <li key={id}>
            <p className="flex items-baseline justify-between gap-2 text-xs text-muted">
              <span className="truncate">
                {text.fields[field ?? ''] ?? sentence(field ?? '')} · {text.history.actors[actor.type] ?? actor.type}
              </span>
              <Moment at={changedAt} />
            </p>
            <p className="flex flex-wrap items-center gap-x-1.5">
              <del className="min-w-0 truncate rounded-sm bg-danger-soft px-1 text-danger">
                {valueText(previousValue)}
              </del>
              <ArrowRight size={12} aria-hidden className="text-muted" />
              <ins className="min-w-0 truncate rounded-sm bg-good-soft px-1 text-good no-underline">
                {valueText(newValue)}
              </ins>
            </p>
          </li>
        ))}
      </ol>
    </Section>
  )
}
