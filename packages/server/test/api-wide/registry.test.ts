// The registry against everything that follows from it: the endpoints, the tables with their columns and indexes, the
// views for analysts.
import {
  columnName,
  columnType,
  type Entity,
  entities,
  fieldsOf,
  recordSchema,
  storedEntities,
  takes,
  typeOf,
  type Verb,
  verbs,
} from '@parley/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compile, sql } from '../../src/database/sql.js'
import { endpoints } from '../../src/resources/index.js'
import { tableDdl } from '../../src/store/entity-ddl.js'
import { pageSql } from '../../src/store/order.js'
import { queryDatabase } from '../support/empty-database.js'
import { nameOf, propertiesOf } from '../support/endpoint-requests.js'
import { plantOneOfEach } from '../support/planted-records.js'
import { type Service, startService } from '../support/service.js'

const methodOf: Record<Verb, string> = {
  list: 'GET',
  get: 'GET',
  create: 'POST',
  patch: 'PATCH',
  put: 'PUT',
  delete: 'DELETE',
}
const pathFor = ({ slug }: Entity, verb: Verb) => (verb === 'list' || verb === 'create' ? `/${slug}` : `/${slug}/{id}`)

describe('the endpoints', () => {
  test('are exactly one for each verb that an entity takes, and none for one that it does not', () => {
    const wrong = entities.flatMap((entity) =>
      Object.values(verbs).flatMap((verb) => {
        const count = endpoints.filter(
          ({ method, path }) => method === methodOf[verb] && path === pathFor(entity, verb),
        ).length
        return count === (takes(entity, verb) ? 1 : 0) ? [] : [`${entity.slug} ${verb}: ${count}`]
      }),
    )
    expect(wrong).toEqual([])
  })

  test('have a method and path, and an operationId, that no other has', () => {
    const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index)
    expect(repeated(endpoints.map(nameOf))).toEqual([])
    expect(repeated(endpoints.map(({ operationId }) => operationId))).toEqual([])
    expect(endpoints.filter(({ operationId }) => !/^[a-z][A-Za-z0-9]+$/.test(operationId)).map(nameOf)).toEqual([])
  })

  test('say what they are for, and what they take and return', () => {
    expect(endpoints.filter(({ summary, tag }) => summary.trim() === '' || tag.trim() === '').map(nameOf)).toEqual([])
    expect(endpoints.filter(({ method, body }) => method === 'GET' && body !== undefined).map(nameOf)).toEqual([])
    const written = endpoints.filter(
      ({ path, method }) => entities.some(({ slug }) => path === `/${slug}/{id}`) && ['PATCH', 'PUT'].includes(method),
    )
    expect(written.filter(({ body }) => body === undefined).map(nameOf)).toEqual([])
  })

  test('of a generic write ask for the scope that the entity says', () => {
    const wrong = entities.flatMap((entity) =>
      (['create', 'patch', 'put', 'delete'] as const)
        .filter((verb) => takes(entity, verb))
        .flatMap((verb) =>
          endpoints.filter(({ method, path }) => method === methodOf[verb] && path === pathFor(entity, verb)),
        )
        .filter(({ scope }) => scope !== entity.writeScope)
        .map(nameOf),
    )
    expect(wrong).toEqual([])
  })
})

describe('the entities', () => {
  test('name search, filter, time, unique and look-up fields that they have', () => {
    const unknown = storedEntities.flatMap((entity) => {
      const named = [
        ...entity.search,
        ...Object.values(entity.filters).map(({ field }) => field),
        ...entity.unique.flat(),
        ...entity.lookups,
        ...entity.times,
        ...Object.values(entity.aliases).map(({ field }) => field),
      ]
      return named.filter((field) => !(field in fieldsOf(entity))).map((field) => `${entity.slug}.${field}`)
    })
    expect(unknown).toEqual([])
  })

  test('have slugs, names and tables of their own', () => {
    for (const pick of ['slug', 'name', 'table', 'label'] as const)
      expect(new Set(storedEntities.map((entity) => entity[pick])).size).toBe(storedEntities.length)
    expect(entities.filter(({ name }) => !/^[a-z]+(_[a-z]+)*$/.test(name))).toEqual([])
  })

  test('refer to entities that exist, or to a field that names one', () => {
    const wrong = storedEntities.flatMap((entity) =>
      Object.entries(fieldsOf(entity)).flatMap(([field, schema]) => {
        const reference = (schema as { 'x-references'?: string })['x-references']
        if (reference === undefined) return []
        const isKnown = reference.startsWith('@')
          ? reference.slice(1) in fieldsOf(entity)
          : storedEntities.some(({ name }) => name === reference)
        return isKnown ? [] : [`${entity.slug}.${field} → ${reference}`]
      }),
    )
    expect(wrong).toEqual([])
  })
})

describe('the database', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
    // What the registry says, made beside what the migrations made, so that Postgres itself writes both the same way.
    await queryDatabase(
      service.databaseUrl,
      `create schema expected; set search_path = expected, public; ${storedEntities.map(tableDdl).join('\n')}`,
    )
  })
  afterAll(() => service.stop())

  const columnsIn = (schema: string) =>
    queryDatabase<{ name: string; description: string }>(
      service.databaseUrl,
      `select c.relname || '.' || a.attname as name,
         format('%s%s%s', format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' else '' end,
           case when a.attgenerated = 's' then ' generated as ' || pg_get_expr(d.adbin, d.adrelid) else coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') end) as description
       from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where c.relnamespace = $1::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and c.relname = any ($2)`,
      [schema, storedEntities.map(({ table }) => table)],
    )
  const indexesIn = (schema: string) =>
    queryDatabase<{ name: string; description: string }>(
      service.databaseUrl,
      `select tablename || '.' || indexname as name, replace(indexdef, $1 || '.', '') as description from pg_indexes where schemaname = $1 and tablename = any ($2)`,
      [schema, storedEntities.map(({ table }) => table)],
    )
  const listed = (rows: { name: string; description: string }[]) =>
    rows.map(({ name, description }) => `${name}: ${description}`).sort()

  test('has the columns of the registry, generated from the record by the same expressions, and no others', async () => {
    const [expected, actual] = [listed(await columnsIn('expected')), listed(await columnsIn('public'))]
    expect(expected.length).toBeGreaterThan(storedEntities.length * 7)
    expect(actual).toEqual(expected)
    expect(expected.filter((line) => line.includes('generated as')).length).toBeGreaterThan(60)
  })

  test('has the indexes of the registry', async () => {
    const [expected, actual] = [listed(await indexesIn('expected')), new Set(listed(await indexesIn('public')))]
    expect(expected.length).toBeGreaterThan(storedEntities.length * 2)
    expect(expected.filter((line) => !actual.has(line))).toEqual([])
  })

  test('answers a list and a read of one record from an index', async () => {
    const plan = async (statement: string) =>
      JSON.stringify(await queryDatabase(service.databaseUrl, `explain (format json) ${statement}`))
    const tenant = "tenant_id = '01890a5d-ac96-774b-bcce-b302099a8057'"
    for (const { table } of entities) {
      for (const statement of [
        `select record from ${table} where ${tenant} and id = '01890a5d-ac96-774b-bcce-b302099a8057'`,
        `select record from ${table} where ${tenant} and id < '01890a5d-ac96-774b-bcce-b302099a8057' order by id desc limit 51`,
      ]) {
        expect(await plan(statement), table).toMatch(/Index/)
      }
    }
  })

  test('answers a sorted list from the index of its order, whichever way it goes and whatever has no value', async () => {
    const tenantId = '01890a5d-ac96-774b-bcce-b302099a8057'
    const place = { id: tenantId, value: '2026-01-01T00:00:00.000Z' }
    const faults: string[] = []
    await service.database.withClient(async (client) => {
      // What no index could do without sorting is sorted all the same, so a plan without a sort shows that one can.
      await client.query('set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off')
      for (const entity of entities) {
        for (const [field, isDescending] of entity.times.flatMap((field) => [
          [field, false] as const,
          [field, true] as const,
        ])) {
          for (const after of [undefined, place, { ...place, value: null }]) {
            const page = {
              entity,
              tenantId,
              order: { field, isDescending },
              conditions: sql``,
              isValued: after?.value !== null,
              after,
              limit: 51,
            }
            const { text, values } = compile(pageSql(page))
            const { rows } = await client.query(`explain ${text}`, values)
            const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
            if (!plan.includes(`${entity.table}_${columnName(field)} on`) || plan.includes('Sort'))
              faults.push(`${entity.slug} ${field}: ${plan}`)
          }
        }
      }
    })
    expect(faults).toEqual([])
  })

  test('has a typed view of every entity for analysts, which shows its records', async () => {
    const planted = await plantOneOfEach(service, service.api)
    const types: Record<string, string> = {
      uuid: 'uuid',
      timestamptz: 'timestamp with time zone',
      'double precision': 'double precision',
      boolean: 'boolean',
      text: 'text',
    }
    for (const { entity, id } of planted) {
      const columns = await queryDatabase<{ name: string; type: string }>(
        service.databaseUrl,
        `select column_name as name, data_type as type from information_schema.columns where table_schema = 'analytics' and table_name = $1 order by ordinal_position`,
        [entity.table],
      )
      const stored = Object.entries(fieldsOf(entity)).filter(([field]) => field in propertiesOf(recordSchema(entity)))
      const expected = stored.map(([field, schema]) => {
        const isJson = ['object', 'array', undefined].includes(typeOf(schema))
        return `${columnName(field)} ${isJson ? 'json' : types[columnType(schema)]}`
      })
      expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual(['tenant_id uuid', ...expected])
      const [row] = await queryDatabase<{ id: string; version: number; created_at: Date }>(
        service.databaseUrl,
        `select * from analytics.${entity.table} where id = $1`,
        [id],
      )
      expect(row).toMatchObject({ id, version: 1, created_at: expect.any(Date) })
    }
  })
})
