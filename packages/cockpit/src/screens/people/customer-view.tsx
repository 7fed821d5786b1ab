// One customer: their details, people and work.
import { useQuery } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { BackToList } from '../../ui/list-and-detail'
import { RecordTools } from '../../ui/record-tools'
import { Section } from '../../ui/section'
import { Failure, Waiting } from '../../ui/states'
import { Badge, sentence } from '../../ui/words'
import { Duplicates } from './duplicates'
import { EditableFields } from './editable-fields'
import { HistoryList } from './history-list'
import { MergedHere } from './merged-here'
import { Timeline } from './timeline'
import { useSurvivor } from './use-merging'

const fields = ['displayName', 'primaryPhone', 'primaryEmail', 'customerNumber'] as const

export function CustomerView({ id }: { id: string }) {
  const { parley, key, at } = usePlace()
  const customer = useQuery({
    queryKey: [...key, 'customers', 'one', id],
    queryFn: ({ signal }) => parley.customers.get(id, { signal }),
  })
  const people = useQuery({
    queryKey: [...key, 'people', 'of', id],
    queryFn: async ({ signal }) => (await parley.people.list({ customerId: id, limit: 50 }, { signal })).data,
  })
  useSurvivor('customers', id, customer.data?.id)
  if (customer.isError) return <Failure error={customer.error} onRetry={() => void customer.refetch()} />
  if (customer.data === undefined) return <Waiting />
  return (
    <article className="flex h-full flex-col">
      <header className="flex min-h-14 flex-wrap items-center gap-x-3 border-b border-line px-4 py-2 sm:px-6">
        <BackToList href={at('people', 'customers')} />
        <h2 className="truncate text-lg font-semibold">{customer.data.displayName}</h2>
        <Badge>{sentence(customer.data.status)}</Badge>
        <span className="ms-auto">
          <RecordTools slug="customers" id={id} />
        </span>
      </header>
      <div className="scroll-quiet grid min-h-0 flex-1 overflow-auto lg:grid-cols-[minmax(0,1fr)_22rem] lg:overflow-hidden">
        <div className="scroll-quiet bg-surface lg:overflow-auto">
          <Timeline of="customers" id={id} />
        </div>
        <aside className="scroll-quiet divide-y divide-line border-s border-line lg:overflow-auto">
          <Section title={text.people.details}>
            <EditableFields
              record={customer.data}
              fields={fields}
              save={(values) => parley.customers.update(id, values)}
            />
          </Section>
          <Section title={text.people.people}>
            {(people.data ?? []).map((person) => (
              <GoLink
                key={person.id}
                href={at('people', person.id)}
                className="block py-0.5 text-accent hover:underline"
              >
                {person.displayName}
              </GoLink>
            ))}
            {people.data?.length === 0 && <p className="text-muted">{text.people.nobody}</p>}
          </Section>
          <Duplicates kind="customers" record={customer.data} />
          <MergedHere kind="customers" id={customer.data.id} />
          <HistoryList entityType="customer" entityId={id} />
        </aside>
      </div>
    </article>
  )
}
