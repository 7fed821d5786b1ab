// What the command bar finds besides commands: people, customers, work, calls with what was said, messages, facts.
import type { SearchHit } from '@parley/sdk'
import { Building2, Lightbulb, type LucideIcon, MessageSquareText, Phone, UserRound, Wrench } from 'lucide-react'
import type { Place } from '../api/place'
import { text } from '../text'
import type { Command } from './commands'

const icons: Readonly<Record<string, LucideIcon>> = {
  person: UserRound,
  customer: Building2,
  work_record: Wrench,
  call: Phone,
  message: MessageSquareText,
  fact: Lightbulb,
}

/** Where a hit is shown; a message in its thread, a fact where it was learned. */
async function addressOf({ parley, at }: Place, { entityType, id }: SearchHit): Promise<string> {
  if (entityType === 'person') return at('people', id)
  if (entityType === 'customer') return at('people', 'customers', id)
  if (entityType === 'work_record') return at('work', id)
  if (entityType === 'call') return at('live', id)
  if (entityType === 'message') return at('inbox', 'texts', (await parley.messages.get(id)).threadId)
  const { sourceCallSessionId, subjectType, subjectId } = await parley.facts.get(id)
  if (sourceCallSessionId !== null) return at('live', sourceCallSessionId)
  return subjectType === 'person' ? at('people', subjectId) : at('people')
}

export async function searchCommands(
  place: Place,
  q: string,
  go: (href: string) => void,
  signal: AbortSignal,
): Promise<readonly Command[]> {
  const { data } = await place.parley.search({ q }, { signal })
  return data.map((hit) => ({
    id: hit.id,
    label: hit.title,
    detail: hit.snippet.text === hit.title ? undefined : hit.snippet.text,
    marks: hit.snippet.marks,
    kind: text.kinds[hit.entityType] ?? hit.entityType,
    icon: icons[hit.entityType] ?? Lightbulb,
    run: () => void addressOf(place, hit).then(go),
  }))
}
