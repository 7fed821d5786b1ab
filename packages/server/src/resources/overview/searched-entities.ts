// What search over everything looks at: of each type its table, what a hit is called, when it was, and the texts that a
// snippet is taken from.
import {
  calls,
  customers,
  type Entity,
  facts,
  messages,
  people,
  type Row,
  type SearchedType,
  workRecords,
} from '@parley/contract'

export interface Searched {
  readonly type: SearchedType
  readonly entity: Entity
  /** Further conditions on columns of the table. */
  readonly also?: string
  /** The hit that a stored record makes. */
  readonly show: (text: string) => Shown
}

export interface Shown {
  readonly title: string
  readonly at: string
  readonly texts: readonly (string | null)[]
}

const searched = <E extends Entity>(
  type: SearchedType,
  entity: E,
  show: (record: Row<E>) => Shown,
  also?: string,
): Searched => ({ type, entity, show: (text) => show(JSON.parse(text)), ...(also !== undefined && { also }) })

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

export const searchedEntities: readonly Searched[] = [
  searched('person', people, ({ displayName, legalName, primaryPhone, primaryEmail, updatedAt }) => ({
    title: displayName,
    at: updatedAt,
    texts: [displayName, primaryPhone, primaryEmail, legalName],
  })),
  searched('customer', customers, ({ displayName, customerNumber, primaryPhone, primaryEmail, updatedAt }) => ({
    title: displayName,
    at: updatedAt,
    texts: [displayName, customerNumber, primaryPhone, primaryEmail],
  })),
  searched('work_record', workRecords, ({ number, title, description, updatedAt }) => ({
    title: `${number} ${title}`,
    at: updatedAt,
    texts: [title, number, description],
  })),
  searched('call', calls, ({ callerName, direction, from, to, summary, startedAt }) => ({
    title: callerName ?? (direction === 'inbound' ? from : to) ?? 'Unknown caller',
    at: startedAt,
    texts: [summary, callerName, from, to],
  })),
  searched(
    'message',
    messages,
    ({ direction, from, to, body, createdAt }) => ({
      title: (direction === 'inbound' ? from : to) ?? 'Unknown sender',
      at: createdAt,
      texts: [body],
    }),
    // The message of a call holds its summary, by which the call itself is found.
    `and (channel <> 'voice' or voicemail_id is not null)`,
  ),
  searched('fact', facts, ({ label, key, value, observedAt }) => ({
    title: label ?? key,
    at: observedAt,
    texts: [textOf(value), key],
  })),
]
