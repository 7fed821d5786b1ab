// Where a record is shown in the cockpit, by its kind; what has no screen of its own is shown as its requests.
import type { Place } from './place'

/** Kinds with a place of their own, and what comes before the id there. */
const homes: Readonly<Record<string, readonly string[]>> = {
  person: ['people'],
  customer: ['people', 'customers'],
  work_record: ['work'],
  call: ['live'],
  conversation: ['inbox', 'texts'],
  voicemail: ['inbox', 'voicemails'],
  draft: ['review'],
  phone_number: ['settings', 'numbers'],
}

/** Kinds whose path in the API is not their name with an s. */
const slugs: Readonly<Record<string, string>> = { sms: 'sms', party: 'parties', company: 'companies' }

export function addressOf({ at }: Pick<Place, 'at'>, entityType: string, id: string): string {
  const home = homes[entityType]
  if (home) return at(...home, id)
  const slug = slugs[entityType] ?? `${entityType.replaceAll('_', '-')}s`
  return `${at('developers', 'examples')}?${new URLSearchParams({ path: `/${slug}/${id}` })}`
}
