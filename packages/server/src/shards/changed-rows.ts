// Which rows of the organization have changed since it was last asked: read from PostgreSQL's own replication stream
// (protocol pgoutput), of which only the keys are of interest here.
import { lookName, type Move, nameOf } from './moving.js'

/** The key of a row, its columns as text in the order of the primary key. */
export type RowKey = readonly string[]
export type RowKeys = Map<string, RowKey[]>

interface Relation {
  readonly table: string
  readonly columns: readonly string[]
}

const AT_ONCE = 20_000

/** From now on changes are kept for us. */
export async function startLooking(move: Move): Promise<void> {
  await stopLooking(move)
  await move.source.database.withClient((client) =>
    client.query(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [lookName(move)]),
  )
}

export async function stopLooking(move: Move): Promise<void> {
  await move.source.database.withClient((client) =>
    client.query('select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1', [
      lookName(move),
    ]),
  )
}

/** The keys of all rows that were written or deleted since the last call. */
export async function changedRows(move: Move): Promise<RowKeys> {
  const changed: RowKeys = new Map()
  const keys = new Map(move.tables.map(({ name, key }) => [name, key.map((column) => column.name)]))
  await move.source.database.withClient(async (client) => {
    for (let count = AT_ONCE; count >= AT_ONCE; ) {
      const { rows } = await client.query<{ data: Buffer }>(
        `select data from pg_logical_slot_get_binary_changes($1, null, ${AT_ONCE}, 'proto_version', '1',
          'publication_names', $2)`,
        [lookName(move), nameOf(move)],
      )
      count = rows.length
      const relations = new Map<number, Relation>()
      for (const { data } of rows) readMessage(data, relations, keys, changed)
    }
  })
  return changed
}

function readMessage(
  data: Buffer,
  relations: Map<number, Relation>,
  keys: ReadonlyMap<string, readonly string[]>,
  changed: RowKeys,
): void {
  const kind = String.fromCharCode(data.readUInt8(0))
  if (kind === 'R') relations.set(data.readUInt32BE(1), readRelation(data))
  if (kind !== 'I' && kind !== 'U' && kind !== 'D') return
  const relation = relations.get(data.readUInt32BE(1))
  const key = relation && keys.get(relation.table)
  if (relation === undefined || key === undefined || key.length === 0) return
  const found = changed.get(relation.table) ?? []
  changed.set(relation.table, found)
  // A tuple each for the old key, where it changed, and for the new row.
  for (let at = 5; at < data.length; ) {
    const { values, end } = readTuple(data, at + 1)
    at = end
    const row = new Map(relation.columns.map((name, index) => [name, values[index]]))
    const parts = key.flatMap((name) => row.get(name) ?? [])
    if (parts.length === key.length) found.push(parts)
  }
}

function readRelation(data: Buffer): Relation {
  const textAt = (at: number) => data.toString('utf8', at, data.indexOf(0, at))
  const schema = 5
  const name = data.indexOf(0, schema) + 1
  const afterName = data.indexOf(0, name) + 1
  const columns: string[] = []
  // The way a row is identified, and how many columns there are, come first.
  for (let at = afterName + 3, left = data.readUInt16BE(afterName + 1); left > 0; left--) {
    columns.push(textAt(at + 1))
    at = data.indexOf(0, at + 1) + 1 + 8
  }
  return { table: textAt(name), columns }
}

function readTuple(data: Buffer, start: number): { values: (string | undefined)[]; end: number } {
  const values: (string | undefined)[] = []
  let at = start + 2
  for (let left = data.readUInt16BE(start); left > 0; left--) {
    const kind = String.fromCharCode(data.readUInt8(at))
    at += 1
    if (kind === 't') {
      const length = data.readUInt32BE(at)
      values.push(data.toString('utf8', at + 4, at + 4 + length))
      at += 4 + length
    } else values.push(undefined)
  }
  return { values, end: at }
}
