// Who is calling: last contacts, open work, notes.
import type { CallSurface } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { Section } from '../../ui/section'
import { Badge, Phone, sentence } from '../../ui/words'
import { otherEnd } from './call-list'

export function CallerCard({ surface }: { surface: CallSurface }) {
  const { at } = usePlace()
  const { person, customer, call } = surface
  if (person === null)
    return (
      <Section title={text.live.caller}>
        <p className="text-muted">
          <Phone number={otherEnd(call)} /> · {text.live.unknownCaller}
        </p>
      </Section>
    )
  const open = (
    <GoLink href={at('people', person.id)} className="font-medium text-accent hover:underline">
      {text.open}
    </GoLink>
  )
  return (
    <Section title={person.displayName} aside={open}>
      <p className="text-muted">
        <Phone number={person.primaryPhone} />
        {person.primaryEmail !== null && ` · ${person.primaryEmail}`}
        {customer !== null && ` · ${customer.displayName}`}
      </p>
      <Known personId={person.id} callId={surface.callId} />
    </Section>
  )
}

function Known({ personId, callId }: { personId: string; callId: string }) {
  const { parley, key, at } = usePlace()
  const { data: calls } = useQuery({
    queryKey: [...key, 'calls', 'of', personId],
    queryFn: async ({ signal }) => (await parley.calls.list({ personId, limit: 4 }, { signal })).data,
  })
  const { data: work } = useQuery({
    queryKey: [...key, 'work', 'of', personId],
    queryFn: async ({ signal }) =>
      (await parley.workRecords.list({ primaryPersonId: personId, recordState: 'active', limit: 3 }, { signal })).data,
  })
  const { data: notes } = useQuery({
    queryKey: [...key, 'notes', personId],
    queryFn: async ({ signal }) => (await parley.notes.list({ subjectId: personId, limit: 3 }, { signal })).data,
  })
  const before = (calls ?? []).filter(({ id }) => id !== callId).slice(0, 3)
  return (
    <div className="grid gap-2 pt-2">
      {work?.map(({ id, title, status }) => (
        <GoLink key={id} href={at('work', id)} className="flex items-center justify-between gap-2 hover:underline">
          <span className="truncate">{title}</span>
          <Badge tone="info">{sentence(status)}</Badge>
        </GoLink>
      ))}
      {before.map(({ id, summary, status, startedAt }) => (
        <GoLink key={id} href={at('live', id)} className="flex items-baseline justify-between gap-2 hover:underline">
          <span className="truncate text-muted">{summary ?? text.callStatus[status] ?? sentence(status)}</span>
          <Moment at={startedAt} className="text-xs text-muted" />
        </GoLink>
      ))}
      {before.length === 0 && work?.length === 0 && <p className="text-muted">{text.live.firstContact}</p>}
      {notes?.map(({ id, body, createdAt }) => (
        <blockquote key={id} className="border-s-2 border-line-strong ps-2.5">
          <p className="whitespace-pre-wrap">{body}</p>
          <Moment at={createdAt} className="text-xs text-muted" />
        </blockquote>
      ))}
    </div>
  )
}
