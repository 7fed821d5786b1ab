// Where it is not enough that a record names another one: values of which there may be only one, facts of which one
// stands, and names that follow a person.
import {
  type AnyRow,
  customers,
  type Entity,
  factDefinitions,
  facts,
  fieldValues,
  people,
  type Row,
  valueOf,
} from '@parley/contract'
import type { Work } from '../../store/work.js'
import { slotFence } from '../knowledge/fact-supersession.js'
import type { Move } from './move-references.js'
import type { Changes } from './moved-references.js'

/** What becomes of a record that moves, besides that it names another one. */
export type Verdict = 'remove' | Changes | undefined

export type Judge = (record: AnyRow) => Verdict

/** Looks once at all records that move in a change. */
export type MoveRule = (work: Work, records: readonly AnyRow[], move: Pick<Move, 'to'>) => Promise<Judge>

/** The one that stays keeps its own value of a field; that of the other goes, and comes back with it. */
const oneValueOfEach: MoveRule = async (work, records, { to }) => {
  const keys = records.map((record) => valueOf(record, 'key'))
  const own = new Set<unknown>((await work.find(fieldValues, { entityId: to, key: keys })).map(({ key }) => key))
  return (record) => (own.has(valueOf(record, 'key')) ? 'remove' : undefined)
}

/** One fact stands of each key: that of the one that stays. */
const oneFactStands: MoveRule = async (work, records, { to }) => {
  const moving = await work.find(facts, { id: records.map(({ id }) => id), status: standing })
  const keys = [...new Set(moving.map(({ key }) => key))]
  if (keys.length === 0) return () => undefined
  for (const fact of moving) work.addFence(await work.readFence(slotFence({ ...fact, subjectId: to }).name))
  const own = await work.find(facts, { subjectId: to, key: keys, status: standing })
  const many = (await work.find(factDefinitions, { key: keys })).filter(({ cardinality }) => cardinality === 'many')
  return ({ id }) => {
    const fact = moving.find((one) => one.id === id)
    const rival = own.find(({ key }) => key === fact?.key)
    if (fact === undefined || rival === undefined || many.some(({ key }) => key === fact.key)) return undefined
    return {
      status: [fact.status, 'superseded'],
      supersededById: [fact.supersededById, rival.id],
      supersededAt: [fact.supersededAt, work.now.toISOString()],
    }
  }
}

const standing = ['confirmed', 'promoted']

/** By table. */
export const moveRules: Readonly<Record<string, MoveRule>> = {
  [fieldValues.table]: oneValueOfEach,
  [facts.table]: oneFactStands,
}

/** A customer that is called after its person is called after the one that it names now. */
export async function renamedAfter(work: Work, entity: Entity, record: Row<Entity>): Promise<Row<Entity>> {
  const personId = valueOf(record, 'primaryPersonId')
  if (entity.table !== customers.table || valueOf(record, 'displayNameDerived') !== true) return record
  const person = typeof personId === 'string' ? await work.get(people, personId) : undefined
  return person ? { ...record, displayName: person.displayName } : record
}
