// Who was merged into this person or customer, as long as they can be made two again.
import { useQuery } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Moment } from '../../ui/moment'
import { Section } from '../../ui/section'
import { type Kind, useMerging } from './use-merging'

export function MergedHere({ kind, id }: { kind: Kind; id: string }) {
  const { parley, key } = usePlace()
  const { unmerge } = useMerging(kind)
  const { data = [] } = useQuery({
    queryKey: [...key, kind, 'merges', id],
    queryFn: ({ signal }) => parley[kind].merges(id, { signal }),
  })
  const now = new Date().toISOString()
  const merged = data.flatMap(({ displayName, status, unmergeUntil, ...one }) =>
    displayName !== null && (status === 'done' || status === 'moving') && unmergeUntil > now
      ? [{ ...one, displayName }]
      : [],
  )
  if (merged.length === 0) return null
  return (
    <Section title={text.people.mergedHere}>
      <ul className="grid gap-1.5">
        {merged.map(({ id: mergeId, mergedId, displayName, mergedAt }) => (
          <li key={mergeId} className="flex items-center justify-between gap-3">
            <span className="min-w-0">
              <span className="block truncate">{displayName}</span>
              <Moment at={mergedAt} className="text-xs text-muted" />
            </span>
            <Button
              aria-label={text.people.unmerge(displayName)}
              disabled={unmerge.isPending}
              onClick={() => unmerge.mutate(mergedId)}
            >
              {text.people.unmergeShort}
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  )
}
