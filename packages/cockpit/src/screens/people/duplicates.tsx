// Others who may be the same person or customer, and why; compared side by side, and merged.
import type { Customer, Person } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { GoLink } from '../../ui/go-link'
import { Section } from '../../ui/section'
import { Comparison } from './comparison'
import { type Kind, useHref } from './use-merging'

interface Suggestion {
  readonly other: Person | Customer
  readonly reasons: readonly string[]
}

export function Duplicates({ kind, record }: { kind: Kind; record: Person | Customer }) {
  const { parley, key } = usePlace()
  const href = useHref()
  const [compared, setCompared] = useState<Person | Customer>()
  const { data = [] } = useQuery({
    queryKey: [...key, kind, 'duplicates', record.id],
    queryFn: async ({ signal }): Promise<Suggestion[]> =>
      kind === 'people'
        ? (await parley.people.duplicates(record.id, { signal })).map(({ person, reasons }) => ({
            other: person,
            reasons,
          }))
        : (await parley.customers.duplicates(record.id, { signal })).map(({ customer, reasons }) => ({
            other: customer,
            reasons,
          })),
  })
  if (data.length === 0) return null
  return (
    <Section title={text.people.maybeSame}>
      <ul className="grid gap-1.5">
        {data.map(({ other, reasons }) => (
          <li key={other.id} className="flex items-center justify-between gap-3">
            <span className="min-w-0">
              <GoLink href={href(kind, other.id)} className="block truncate text-accent hover:underline">
                {other.displayName}
              </GoLink>
              <span className="block truncate text-xs text-muted">
                {reasons.map((reason) => text.people.sameReasons[reason] ?? reason).join(', ')}
              </span>
            </span>
            <Button aria-label={text.people.compare(other.displayName)} onClick={() => setCompared(other)}>
              {text.people.compareShort}
            </Button>
          </li>
        ))}
      </ul>
      <Dialog
        title={text.people.areTheySame}
        isOpen={compared !== undefined}
        onClose={() => setCompared(undefined)}
        wide
      >
        {compared && <Comparison kind={kind} records={[record, compared]} onDone={() => setCompared(undefined)} />}
      </Dialog>
    </Section>
  )
}
