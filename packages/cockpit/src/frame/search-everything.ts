// What the command bar finds besides commands: people, customers, work, calls with what was said, messages, facts.
import type { SearchHit } from '@parley/sdk'
import { Building2, Lightbulb, type LucideIcon, MessageSquareText, Phone, UserRound, Wrench } from 'lucide-react'
import type { Place } from '../api/place'
import { addressOf } from '../api/record-address'
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
async function addressOfHit(place: Place, { entityType, id }: SearchHit): Promise<string> {
  const { parley, at } = place
  if (entityType === 'message') return at('inbox', 'texts', (await parley.messages.get(id)).threadId)
  if (entityType !== 'fact') return addressOf(place, entityType, id)
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
    run: () => void addressOfHit(place, hit).then(go),
  }))
}
