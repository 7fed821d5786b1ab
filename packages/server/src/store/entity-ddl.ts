// What the database must look like for an entity, derived from the registry: its table, generated columns and indexes,
// and the typed view that analysts read. Migrations are checked against this; nothing here runs while requests are
// served.
import {
  annotationsOf,
  columnName,
  columnsOf,
  columnType,
  type Entity,
  fieldsOf,
  recordSchema,
  typeOf,
} from '@parley/contract'
import type { View } from '../database/views.js'

export interface Column {
  readonly name: string
  readonly type: string
  /** The expression Postgres generates it from; none for what the store writes itself. */
  readonly generatedFrom?: string
}

export interface Index {
  readonly name: string
  readonly definition: string
}

const quoted = (name: string) => `"${name}"`

/** An array has no immutable cast from JSON, so the store writes such a column itself. */
export const isArrayField = (entity: Entity, field: string): boolean =>
  typeOf(fieldsOf(entity)[field] ?? {}) === 'array'

export function tableColumns(entity: Entity): Column[] {
  return columnsOf(entity)
    .filter((field) => field !== 'createdAt')
    .map((field) => {
      const schema = fieldsOf(entity)[field]
      if (schema === undefined) throw new Error(`${entity.slug} names the unknown field ${field}`)
      if (isArrayField(entity, field)) return { name: columnName(field), type: 'text[]' }
      const type = columnType(schema)
      return { name: columnName(field), type, generatedFrom: cast(`record ->> '${field}'`, type) }
    })
}

/** Whether the store can ask for a field without reading the record. */
export const hasColumn = (entity: Entity, field: string): boolean =>
  field === 'updatedAt' || columnsOf(entity).includes(field)

/**
 * What a field is sorted, compared and filtered by: its column, or its value in the record, with the default where the
 * record is older than the field. Instants are stored in UTC with milliseconds, so their texts sort like their times in
 * the collation that compares bytes. An index on such an expression can be made while the service runs; a new column
 * rewrites the table.
 */
export function fieldExpression(entity: Entity, field: string): string {
  if (hasColumn(entity, field)) return field === 'updatedAt' ? 'updated_at' : quoted(columnName(field))
  const schema = fieldsOf(entity)[field] ?? {}
  const byDefault = annotationsOf(schema).default
  const value =
    byDefault === undefined || byDefault === null
      ? `(record ->> '${field}')`
      : `coalesce(record ->> '${field}', '${String(byDefault).replaceAll("'", "''")}')`
  return columnType(schema) === 'timestamptz' ? `(${value} collate "C")` : cast(value, columnType(schema))
}

/** Columns hold instants; what has no column is compared as the text that it is stored as, which sorts the same. */
export function expressionType(entity: Entity, field: string): string {
  const type = field === 'updatedAt' ? 'timestamptz' : columnType(fieldsOf(entity)[field] ?? {})
  return type === 'timestamptz' && !hasColumn(entity, field) ? 'text' : type
}

function cast(expression: string, type: string): string {
  if (type === 'text') return `(${expression})`
  return type === 'timestamptz' ? `(instant(${expression}))` : `((${expression})::${type})`
}

export function tableIndexes(entity: Entity): Index[] {
  const { table } = entity
  const filters = tableColumns(entity)
    .filter(
      (column) =>
        column.generatedFrom !== undefined &&
        !entity.unique.some((fields) => fields.length === 1 && columnName(fields[0] ?? '') === column.name),
    )
    .map(({ name }) => ({
      name: `${table}_${name}`,
      definition: `(tenant_id, ${quoted(name)}, id) where ${quoted(name)} is not null`,
    }))
  const unique = entity.unique.map((fields) => {
    const names = fields.map(columnName)
    return {
      name: `${table}_${names.join('_')}_key`,
      definition: `unique (tenant_id, ${names.map(quoted).join(', ')})`,
    }
  })
  // Rows without a value are in these too: they come last in a sorted list, and must be found without reading all the
  // others.
  const expressions = [...entity.times, ...Object.values(entity.filters).map(({ field }) => field)]
    .filter((field, index, all) => !hasColumn(entity, field) && field !== 'createdAt' && all.indexOf(field) === index)
    .map((field) => ({
      name: `${table}_${columnName(field)}`,
      definition: `(tenant_id, ${fieldExpression(entity, field)}, id)`,
    }))
  // A long pending list makes the one insert that empties it wait for a second.
  const search =
    entity.search.length > 0
      ? [{ name: `${table}_search`, definition: 'using gin (tenant_id, search) with (gin_pending_list_limit = 256)' }]
      : []
  return [
    { name: `${table}_updated_at`, definition: '(tenant_id, updated_at)' },
    ...search,
    ...filters,
    ...expressions,
    ...unique,
  ]
}

/** The statements that make an entity's table: what a migration for a new entity starts from. */
export function tableDdl(entity: Entity): string {
  const own = tableColumns(entity).map(({ name, type, generatedFrom }) =>
    generatedFrom
      ? `${quoted(name)} ${type} generated always as ${generatedFrom} stored`
      : `${quoted(name)} ${type} not null default '{}'`,
  )
  const columns = [
    'tenant_id uuid not null',
    'id uuid not null',
    'version integer not null',
    'updated_at timestamptz not null',
    'record json not null',
    'shape integer not null default 0',
    "search tsvector not null default ''",
    ...(entity.sealed ? ['sealed bytea'] : []),
    ...own,
    'primary key (tenant_id, id)',
  ]
  const indexes = tableIndexes(entity).map(({ name, definition }) => {
    const [kind, columnsAndRest] = definition.startsWith('unique')
      ? ['unique index', definition.slice('unique '.length)]
      : ['index', definition]
    return `create ${kind} ${name} on ${entity.table} ${columnsAndRest};`
  })
  return [`create table ${entity.table} (\n  ${columns.join(',\n  ')}\n);`, ...indexes].join('\n')
}

/** The typed view of an entity in the schema `analytics`. */
export function analyticsView(entity: Entity): View {
  const stored = Object.keys(fieldsOf(entity)).filter((field) => field in properties(recordSchema(entity)))
  const columns = stored.map((field) => {
    const schema = fieldsOf(entity)[field] ?? {}
    const isJson = ['object', 'array', undefined].includes(typeOf(schema))
    const type = isJson ? 'json' : columnType(schema)
    return {
      name: columnName(field),
      expression: isJson ? `record -> '${field}'` : cast(`record ->> '${field}'`, type),
      type,
    }
  })
  return {
    schema: 'analytics',
    name: entity.table,
    columns: [{ name: 'tenant_id', expression: 'tenant_id', type: 'uuid' }, ...columns],
    from: entity.table,
  }
}

const properties = (schema: object): Record<string, unknown> =>
  (schema as { properties: Record<string, unknown> }).properties
