// One unit of work: its values, what hangs on it, and its history.
import { useQuery } from '@tanstack/react-query'
import { PhoneIncoming, X } from 'lucide-react'
import { useGo, usePlace } from '../../api/place'
import { useKeys } from '../../frame/keys'
import { useOpener } from '../../frame/opener'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { GoLink } from '../../ui/go-link'
import { RecordTools } from '../../ui/record-tools'
import { Section } from '../../ui/section'
import { Failure, Waiting } from '../../ui/states'
import { Badge, sentence, valueText } from '../../ui/words'
import { EditableFields } from '../people/editable-fields'
import { HistoryList } from '../people/history-list'
import { Timeline } from '../people/timeline'
import { stateTones } from './work-table'

const fields = ['title', 'status', 'stage', 'priority', 'description'] as const

export function WorkDetail({ id, backTo }: { id: string; backTo: string }) {
  const { parley, key, at } = usePlace()
  const go = useGo()
  const opener = useOpener()
  const close = () => {
    go(backTo + location.search)
    opener()
  }
  useKeys([{ key: 'Escape', label: text.close, run: close }])
  const work = useQuery({
    queryKey: [...key, 'work', 'one', id],
    queryFn: ({ signal }) => parley.workRecords.get(id, { signal }),
  })
  return (
    <aside
      aria-label={text.work.one}
      className="scroll-quiet w-full shrink-0 overflow-auto border-s border-line bg-surface md:w-96 xl:w-[30rem]"
    >
      <header className="sticky top-0 z-10 flex min-h-14 items-center gap-2 border-b border-line bg-surface px-4">
        <h2 className="min-w-0 flex-1 truncate text-base font-semibold">{work.data?.title}</h2>
        <RecordTools slug="work-records" id={id} />
        <Button look="quiet" aria-label={text.close} icon={<X size={16} aria-hidden />} onClick={close} />
      </header>
      {work.isPending && <Waiting />}
      {work.isError && <Failure error={work.error} onRetry={() => void work.refetch()} />}
      {work.data && (
        <div className="divide-y divide-line">
          <div className="flex flex-wrap items-center gap-2 px-4 py-3 text-muted">
            <span className="font-mono text-xs">{work.data.number}</span>
            <Badge tone={stateTones[work.data.recordState] ?? 'neutral'}>{sentence(work.data.recordState)}</Badge>
            {sentence(work.data.canonicalKind)}
            <GoLink href={at('people', 'customers', work.data.customerId)} className="text-accent hover:underline">
              {text.people.customer}
            </GoLink>
            {work.data.sourceCallSessionId !== null && (
              <GoLink
                href={at('live', work.data.sourceCallSessionId)}
                className="inline-flex items-center gap-1 text-accent hover:underline"
              >
                <PhoneIncoming size={13} aria-hidden /> {text.work.call}
              </GoLink>
            )}
          </div>
          <Section title={text.people.details}>
            <EditableFields
              record={work.data}
              fields={fields}
              save={(values) => parley.workRecords.update(id, values)}
            />
          </Section>
          {Object.keys(work.data.structuredFieldsJson).length > 0 && (
            <Section title={text.work.fields}>
              <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-2 gap-y-1">
                {Object.entries(work.data.structuredFieldsJson).map(([name, value]) => (
                  <div key={name} className="contents">
                    <dt className="truncate text-muted">{sentence(name)}</dt>
                    <dd className="break-words">{valueText(value)}</dd>
                  </div>
                ))}
              </dl>
            </Section>
          )}
          <HistoryList entityType="work_record" entityId={id} />
          <section>
            <h3 className="px-4 pt-3.5 font-semibold">{text.timeline.title}</h3>
            <Timeline of="workRecords" id={id} />
          </section>
        </div>
      )}
    </aside>
  )
}
