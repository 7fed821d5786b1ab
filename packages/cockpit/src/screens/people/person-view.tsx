// One person: what is known, where each value came from, and everything that happened.
import type { Person } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { Mail, Phone as PhoneIcon } from 'lucide-react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { BackToList } from '../../ui/list-and-detail'
import { Moment } from '../../ui/moment'
import { RecordTools } from '../../ui/record-tools'
import { Section } from '../../ui/section'
import { Failure, Waiting } from '../../ui/states'
import { Confidence, phoneText, sentence, valueText } from '../../ui/words'
import { Duplicates } from './duplicates'
import { EditableFields } from './editable-fields'
import { HistoryList } from './history-list'
import { MergedHere } from './merged-here'
import { Timeline } from './timeline'
import { useSurvivor } from './use-merging'

export function PersonView({ id }: { id: string }) {
  const { parley, key, at } = usePlace()
  const person = useQuery({
    queryKey: [...key, 'people', 'one', id],
    queryFn: ({ signal }) => parley.people.get(id, { signal }),
  })
  useSurvivor('people', id, person.data?.id)
  if (person.isError) return <Failure error={person.error} onRetry={() => void person.refetch()} />
  if (person.data === undefined) return <Waiting />
  const { displayName, primaryPhone, primaryEmail, customerId } = person.data
  return (
    <article className="flex h-full flex-col">
      <header className="flex min-h-14 flex-wrap items-center gap-x-4 border-b border-line px-4 py-2 sm:px-6">
        <BackToList href={at('people')} />
        <h2 className="truncate text-lg font-semibold">{displayName}</h2>
        {primaryPhone !== null && (
          <a
            href={`tel:${primaryPhone}`}
            className="figures inline-flex items-center gap-1.5 text-accent hover:underline"
          >
            <PhoneIcon size={14} aria-hidden /> {phoneText(primaryPhone)}
          </a>
        )}
        {primaryEmail !== null && (
          <a href={`mailto:${primaryEmail}`} className="inline-flex items-center gap-1.5 text-accent hover:underline">
            <Mail size={14} aria-hidden /> {primaryEmail}
          </a>
        )}
        {customerId !== null && (
          <GoLink href={at('people', 'customers', customerId)} className="text-accent hover:underline">
            {text.people.customer}
          </GoLink>
        )}
        <span className="ms-auto">
          <RecordTools slug="people" id={id} />
        </span>
      </header>
      <div className="scroll-quiet grid min-h-0 flex-1 overflow-auto lg:grid-cols-[minmax(0,1fr)_22rem] lg:overflow-hidden">
        <div className="scroll-quiet bg-surface lg:overflow-auto">
          <Timeline of="people" id={id} />
        </div>
        <aside className="scroll-quiet divide-y divide-line border-s border-line lg:overflow-auto">
          <Section title={text.people.details}>
            <EditableFields record={person.data} fields={fields} save={(values) => parley.people.update(id, values)} />
          </Section>
          <Duplicates kind="people" record={person.data} />
          <MergedHere kind="people" id={person.data.id} />
          <Learned person={person.data} />
          <HistoryList entityType="person" entityId={id} />
        </aside>
      </div>
    </article>
  )
}

const fields = ['displayName', 'firstName', 'lastName', 'primaryPhone', 'primaryEmail'] as const

/** Facts that stand, each with how sure it is and the call it came from. */
function Learned({ person: { id } }: { person: Person }) {
  const { parley, key, at } = usePlace()
  const { data = [] } = useQuery({
    queryKey: [...key, 'facts', 'about', id],
    queryFn: async ({ signal }) => {
      const asked = { subjectId: [id], status: ['proposed', 'confirmed', 'promoted'], limit: 50 }
      return (await parley.facts.list(asked, { signal })).data
    },
  })
  return (
    <Section title={text.live.facts}>
      {data.length === 0 && <p className="text-muted">{text.people.noFacts}</p>}
      <dl className="grid gap-2">
        {data.map((fact) => (
          <div key={fact.id}>
            <dt className="flex items-center gap-2 text-xs text-muted">
              {fact.label ?? sentence(fact.key)} <Confidence value={fact.confidence} />
            </dt>
            <dd className="flex items-baseline justify-between gap-2">
              <span className="min-w-0 truncate font-medium">{valueText(fact.value)}</span>
              {fact.sourceCallSessionId === null ? (
                <Moment at={fact.observedAt} className="text-xs text-muted" />
              ) : (
                <GoLink href={at('live', fact.sourceCallSessionId)} className="text-xs text-accent hover:underline">
                  <Moment at={fact.observedAt} />
                </GoLink>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
