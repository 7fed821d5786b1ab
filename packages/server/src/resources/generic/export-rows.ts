// All rows of a list as they stood at one moment, a few at a time, however long their reader takes: a cursor in a
// read-only transaction on a connection of its own. Few run at once, and a reader that leaves frees its place.
import type { Entity } from '@parley/contract'
import type pg from 'pg'
import type { Database } from '../../database/pool.js'
import { compile, raw, type Sql, sql } from '../../database/sql.js'
import { ApiError } from '../../store/api-error.js'
import { type Condition, conditionsSql } from '../../store/conditions.js'
import type { Stored } from '../../store/reader.js'
import { recordColumns } from '../../store/record-text.js'
import { tsqueryOf } from '../../store/search-words.js'

export interface Exported {
  readonly entity: Entity
  readonly tenantId: string
  readonly conditions: readonly Condition[]
  readonly q: string | undefined
  readonly number: string | undefined
}

const ROWS = 200
const OF_TENANT = 2
const OF_NODE = 6

const running = new WeakMap<Database, string[]>()

/** Newest first. The caller reads to the end or returns the generator; both give the place back. */
export async function* exportRows(database: Database, exported: Exported): AsyncGenerator<Stored[], void, undefined> {
  const leave = enter(database, exported.tenantId)
  try {
    yield* rowsOfSnapshot(database, exported)
  } finally {
    leave()
  }
}

function enter(database: Database, tenantId: string): () => void {
  const tenants = running.get(database) ?? []
  running.set(database, tenants)
  if (tenants.length >= OF_NODE || tenants.filter((one) => one === tenantId).length >= OF_TENANT)
    throw new ApiError('rate_limited', `At most ${OF_TENANT} exports run at once; wait for one to end`, undefined, {
      'retry-after': '5',
    })
  tenants.push(tenantId)
  return () => void tenants.splice(tenants.indexOf(tenantId), 1)
}

/** A connection is held by a function, and rows leave it one page at a time: the two meet at each page. */
async function* rowsOfSnapshot(database: Database, exported: Exported): AsyncGenerator<Stored[], void, undefined> {
  let ask: (isWanted: boolean) => void = () => {}
  let give: (page: Stored[] | undefined) => void = () => {}
  let fail: (error: unknown) => void = () => {}
  const nextAsked = () => new Promise<boolean>((resolve) => (ask = resolve))
  let asked = nextAsked()
  const done = database
    .withClient(async (client) => {
      await open(client, rowsSql(exported))
      while (await asked) {
        asked = nextAsked()
        const { rows } = await client.query<Row>(`fetch ${ROWS} from exported`)
        give(rows.map(({ id, version, record }) => ({ id, version, text: record })))
      }
    })
    .catch((error: unknown) => fail(error))
  try {
    for (;;) {
      const page = await new Promise<Stored[] | undefined>((resolve, reject) => {
        give = resolve
        fail = reject
        ask(true)
      })
      if (page === undefined || page.length === 0) return
      yield page
    }
  } finally {
    ask(false)
    await done
  }
}

type Row = { id: string; version: number; record: string }

async function open(client: pg.ClientBase, rows: Sql): Promise<void> {
  await client.query('begin isolation level repeatable read read only')
  const { text, values } = compile(rows)
  await client.query(`declare exported no scroll cursor for ${text}`, values)
}

function rowsSql({ entity, tenantId, conditions, q, number }: Exported): Sql {
  const tsquery = q === undefined ? undefined : tsqueryOf(q, number)
  const isNone = q !== undefined && tsquery === undefined
  const matches = tsquery === undefined ? raw(isNone ? ' and false' : '') : sql` and search @@ ${tsquery}::tsquery`
  return sql`select id, ${raw(recordColumns(entity))} from ${raw(entity.table)}
    where tenant_id = ${tenantId}::uuid${matches}${conditionsSql(entity, conditions)} order by id desc`
}
