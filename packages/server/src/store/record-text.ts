// A record as it goes over the wire, in SQL: the stored text, completed from the registry's defaults where it was
// written before some field existed.
import { type Entity, shapeOf, shapeTemplate, storedEntities } from '@parley/contract'
import type pg from 'pg'
import { raw, type Sql } from '../database/sql.js'

/** The text of the record in `row`, an alias of the entity's table. */
export function recordText(entity: Entity, row: string = entity.table): Sql {
  return raw(completeText(entity, row))
}

/** What a page shows of a record besides its id. */
export const recordColumns = (entity: Entity): string => `version, ${completeText(entity, entity.table)} as record`

function completeText(entity: Entity, row: string): string {
  const completed = `complete_record('${entity.table}', ${row}.record)`
  return `case when ${row}.shape >= ${shapeOf(entity)} then ${row}.record::text else ${completed} end`
}

/**
 * Tells the database what completes the records of each entity. A newer version beside this one knows better, and
 * stays.
 */
export async function writeShapes(client: pg.ClientBase, entities: readonly Entity[] = storedEntities): Promise<void> {
  const shapes = entities.map((entity) => ({
    table_name: entity.table,
    shape: shapeOf(entity),
    template: shapeTemplate(entity),
  }))
  await client.query(
    `insert into record_shapes as s (table_name, shape, template)
     select table_name, shape, template
     from jsonb_to_recordset($1) as n (table_name text, shape integer, template jsonb)
     on conflict (table_name) do update set shape = excluded.shape, template = excluded.template
       where s.shape < excluded.shape or (s.shape = excluded.shape and s.template <> excluded.template)`,
    [JSON.stringify(shapes)],
  )
}
