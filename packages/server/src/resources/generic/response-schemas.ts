// The shapes of answers that are neither one record nor a page: a list without paging, and a look-up.
import { aboutEnvelope, type Field, limits, list, meta, nullable, object } from '@parley/contract'

/** A list that comes whole. */
export const unpagedSchema = <T>(items: Field<T>, maxItems: number = limits.listItems) =>
  object({ data: list(items, maxItems), meta }, { data: 'All of the list.', meta: aboutEnvelope.meta })

/** One record, or null when nothing matches. */
export const lookupSchema = <T>(item: Field<T>) =>
  object(
    { data: nullable(item), meta },
    { data: 'What was found; null where nothing matches.', meta: aboutEnvelope.meta },
  )
