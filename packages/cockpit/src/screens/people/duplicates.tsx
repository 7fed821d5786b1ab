// Others who may be the same person, and why.
import { useQuery } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { Section } from '../../ui/section'

export function Duplicates({ personId }: { personId: string }) {
  const { parley, key, at } = usePlace()
  const { data = [] } = useQuery({
    queryKey: [...key, 'people', 'duplicates', personId],
    queryFn: ({ signal }) => parley.people.duplicates(personId, { signal }),
  })
  if (data.length === 0) return null
  return (
    <Section title={text.people.maybeSame}>
      <ul className="grid gap-1.5">
        {data.map(({ person, reasons }) => (
          <li key={person.id} className="flex items-baseline justify-between gap-3">
            <GoLink href={at('people', person.id)} className="min-w-0 truncate text-accent hover:underline">
              {person.displayName}
            </GoLink>
            <span className="shrink-0 text-xs text-muted">
              {reasons.map((reason) => text.people.sameReasons[reason] ?? reason).join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
