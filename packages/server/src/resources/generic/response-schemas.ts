// The shapes of answers that are neither one record nor a page: a list without paging, and a look-up.
import { type Field, limits, list, nullable, object, text } from '@parley/contract'

const meta = object({ requestId: text(limits.requestIdLength) })

/** A list that comes whole. */
export const unpagedSchema = <T>(items: Field<T>, maxItems: number = limits.listItems) =>
  object({ data: list(items, maxItems), meta })

/** One record, or null when nothing matches. */
export const lookupSchema = <T>(item: Field<T>) => object({ data: nullable(item), meta })
