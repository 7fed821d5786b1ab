// The records of a change as parts of the commit's statement: inserts, updates fenced by their versions, and removals
// that keep what was removed.
import { columnName, columnsOf, type Entity, shapeOf, valueOf } from '@parley/contract'
import { arrayLiteral, join, raw, type Sql, sql } from '../database/sql.js'
import type { Write } from './change.js'
import { isArrayField } from './entity-ddl.js'
import { searchText, wordsOf } from './search-words.js'

/** Whose change it is and when it happens. */
export interface Context {
  readonly tenantId: string
  readonly organizationId: string
  readonly environment: string
  readonly now: Date
}

/** A part of the statement: a CTE and, where it must touch rows, how many. */
export interface Part {
  readonly name: string
  readonly body: Sql
  readonly rows?: number | undefined
}

/**
 * One CTE per table and kind, tables in a fixed order, rows in the order of their ids, so that two changes lock in the
 * same order.
 */
export function writeParts(context: Context, writes: readonly Write[]): Part[] {
  const groups = new Map<string, Write[]>()
  for (const write of writes) {
    const name = `${write.kind}_${write.entity.table}`
    const group = groups.get(name)
    if (group) group.push(write)
    else groups.set(name, [write])
  }
  return [...groups]
    .sort(([, [a]], [, [b]]) => ((a?.entity.table ?? '') < (b?.entity.table ?? '') ? -1 : 1))
    .flatMap(([name, group]) => {
      const { entity, kind } = group[0] as Write
      const rows = [...group].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
      if (kind === 'insert') return [{ name, body: insertBody(context, entity, rows), rows: rows.length }]
      if (kind === 'update') return [{ name, body: updateBody(context, entity, rows), rows: rows.length }]
      return [
        { name, body: removeBody(context, entity, rows), rows: rows.length },
        buryPart(context, entity, name, rows),
      ]
    })
}

const idOf = (write: Write): string => (write.kind === 'remove' ? write.id : write.record.id)

/** Every write asks, several times. */
function arrayFields(entity: Entity): readonly string[] {
  const known = arraysByEntity.get(entity)
  if (known) return known
  const fields = columnsOf(entity).filter((field) => isArrayField(entity, field))
  arraysByEntity.set(entity, fields)
  return fields
}

const arraysByEntity = new WeakMap<Entity, readonly string[]>()

/** Everything of a row that the store writes itself, as VALUES; Postgres generates the rest from `record`. */
function storedValues(entity: Entity, write: Stored): Sql {
  const { record } = write
  const words = write.searchUnchanged ? null : wordsOfRecord(entity, record, write.words)
  const values = [
    sql`${record.id}::uuid`,
    sql`${record.version}::int`,
    sql`${record.updatedAt}::timestamptz`,
    sql`${JSON.stringify(record)}::json`,
    sql`${shapeOf(entity)}::int`,
    sql`array_to_tsvector(string_to_array(${words}, ' '))`,
    ...(entity.sealed ? [sql`${write.sealed ?? null}::bytea`] : []),
    ...arrayFields(entity).map((field) => sql`${valueOf(record, field)}::text[]`),
    ...(write.kind === 'update' ? [sql`${write.seen}::int`] : []),
  ]
  return sql`(${join(values, ', ')})`
}

/** The words under which a record is found, joined by spaces. */
export function wordsOfRecord(entity: Entity, record: object, further: readonly string[] = []): string {
  const values = entity.search.map((field) => valueOf(record, field))
  return searchText([...values.filter((value) => typeof value === 'string'), ...further])
}

const ownColumns = (entity: Entity): string[] => [
  'id',
  'version',
  'updated_at',
  'record',
  'shape',
  'search',
  ...(entity.sealed ? ['sealed'] : []),
  ...arrayFields(entity).map((field) => columnName(field)),
]

type Stored = Exclude<Write, { kind: 'remove' }>

/** The rows as a table `r`. Few are values of a statement that recurs; many come as columns, a parameter each. */
function rowsOf(entity: Entity, rows: readonly Write[]): Sql {
  const stored = rows.filter((row): row is Stored => row.kind !== 'remove')
  const columns = [...ownColumns(entity), ...(stored[0]?.kind === 'update' ? ['seen'] : [])]
  if (stored.length > FEW_ROWS) return sql`(${columnsOfRows(entity, stored)}) r`
  const values = stored.map((row) => storedValues(entity, row))
  return sql`(values ${join(values, ', ')}) r (${raw(columns.join(', '))})`
}

const FEW_ROWS = 12

function columnsOfRows(entity: Entity, rows: readonly Stored[]): Sql {
  const arrays = arrayFields(entity)
  const column = (type: string, valueOf: (row: Stored) => string | number | null) =>
    sql`${arrayLiteral(rows.map(valueOf))}::${raw(type)}[]`
  const isUpdate = rows[0]?.kind === 'update'
  const given = [
    column('uuid', ({ record }) => record.id),
    column('int', ({ record }) => record.version),
    column('timestamptz', ({ record }) => record.updatedAt),
    column('json', ({ record }) => JSON.stringify(record)),
    column('text', (row) => (row.searchUnchanged ? null : wordsOfRecord(entity, row.record, row.words))),
    ...(entity.sealed ? [column('bytea', ({ sealed }) => (sealed ? `\\x${sealed.toString('hex')}` : null))] : []),
    ...arrays.map((field) => column('text', ({ record }) => textArray(valueOf(record, field)))),
    ...(isUpdate ? [column('int', (row) => (row.kind === 'update' ? row.seen : null))] : []),
  ]
  const names = ownColumns(entity).filter((name) => name !== 'shape')
  const isArray = (name: string) => arrays.some((field) => columnName(field) === name)
  const shown = ownColumns(entity).map((name) => {
    if (name === 'shape') return `${shapeOf(entity)} as shape`
    if (name === 'search') return `array_to_tsvector(string_to_array(u.search, ' ')) as search`
    return isArray(name) ? `u.${name}::text[] as ${name}` : `u.${name}`
  })
  return sql`select ${raw([...shown, ...(isUpdate ? ['u.seen'] : [])].join(', '))}
    from unnest(${join(given, ', ')}) u (${raw([...names, ...(isUpdate ? ['seen'] : [])].join(', '))})`
}

const textArray = (value: unknown): string | null => (Array.isArray(value) ? arrayLiteral(value.map(String)) : null)

function insertBody({ tenantId }: Context, entity: Entity, rows: readonly Write[]): Sql {
  const columns = raw(ownColumns(entity).join(', '))
  return sql`insert into ${raw(entity.table)} (tenant_id, ${columns})
    select ${tenantId}::uuid, r.* from ${rowsOf(entity, rows)}, not_a_replay returning 1`
}

function updateBody({ tenantId }: Context, entity: Entity, rows: readonly Write[]): Sql {
  const columns = ownColumns(entity)
  // A secret or search words that are not said are kept.
  const isKept = (name: string) => name === 'sealed' || name === 'search'
  const sets = columns
    .filter((name) => name !== 'id')
    .map((name) => (isKept(name) ? `${name} = coalesce(r.${name}, t.${name})` : `${name} = r.${name}`))
  return sql`update ${raw(entity.table)} t set ${raw(sets.join(', '))}
    from ${rowsOf(entity, rows)}, not_a_replay
    where t.tenant_id = ${tenantId}::uuid and t.id = r.id and t.version = r.seen returning 1`
}

function removeBody({ tenantId }: Context, entity: Entity, rows: readonly Write[]): Sql {
  const values = join(
    rows.map((row) => sql`(${idOf(row)}::uuid, ${row.kind === 'remove' ? row.seen : 0}::int)`),
    ', ',
  )
  return sql`delete from ${raw(entity.table)} t using (values ${values}) r (id, seen), not_a_replay
    where t.tenant_id = ${tenantId}::uuid and t.id = r.id and t.version = r.seen returning t.id, t.record, t.search`
}

function buryPart({ tenantId, now }: Context, entity: Entity, removed: string, rows: readonly Write[]): Part {
  const words = wordsOf(entity.name).join(' ')
  const mergedInto = Object.fromEntries(
    rows.flatMap((row) => (row.kind === 'remove' && row.mergedIntoId ? [[row.id, row.mergedIntoId]] : [])),
  )
  return {
    name: `keep_deleted_${entity.table}`,
    body: sql`insert into deleted_records (tenant_id, id, entity_type, record_id, deleted_at, record, search,
        merged_into_id)
      select ${tenantId}::uuid, uuid_v7(${now}), ${entity.name}, id, ${now}, record,
        search || array_to_tsvector(string_to_array(${words}, ' ') || string_to_array(id::text, '-')),
        (${JSON.stringify(mergedInto)}::json ->> id::text)::uuid
      from ${raw(removed)} returning 1`,
  }
}
