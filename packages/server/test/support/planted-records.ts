// Records put straight into their tables, for tests that need one of every kind without going through its rules.
import { type Entity, entities, recordSchema } from '@parley/contract'
import { raw, sql } from '../../src/database/sql.js'
import { newId } from '../../src/store/id.js'
import { smallestValue } from './endpoint-requests.js'
import type { Client, Service } from './service.js'

export interface Planted {
  readonly entity: Entity
  readonly id: string
}

/** One record of each entity for the tenant of a key. */
export async function plantOneOfEach(service: Service, owner: Client): Promise<Planted[]> {
  const { body: me } = await owner.get('/schema')
  const [tenant] = await service.database.query<{ id: string }>(
    sql`select id from tenants where organization_id = ${me.organization.id} and environment = ${me.organization.environment}`,
  )
  const planted: Planted[] = []
  for (const entity of entities) {
    const now = new Date()
    const id = newId(now)
    const stamp = now.toISOString()
    // Unique fields get the id as their value wherever text is free, so that planting twice does not collide.
    const own = Object.fromEntries(
      entity.unique
        .flat()
        .map((field) => [field, field === 'e164' ? `+1${BigInt(`0x${id.slice(-10)}`)}`.slice(0, 15) : id]),
    )
    const record = {
      ...(smallestValue(recordSchema(entity)) as object),
      ...own,
      id,
      organizationId: me.organization.id,
      createdAt: stamp,
      updatedAt: stamp,
      version: 1,
    }
    await service.database.query(
      sql`insert into ${raw(entity.table)} (tenant_id, id, version, updated_at, record) values (${tenant?.id}, ${id}, 1, ${now}, ${JSON.stringify(record)})`,
    )
    planted.push({ entity, id })
  }
  return planted
}

/** The planted rows as they are now, as one text to compare. */
export async function describePlanted(service: Service, planted: readonly Planted[]): Promise<string> {
  const texts = await Promise.all(
    planted.map(
      async ({ entity, id }) =>
        (
          await service.database.query<{ text: string }>(
            sql`select record::text as text from ${raw(entity.table)} where id = ${id}`,
          )
        )[0]?.text,
    ),
  )
  return texts.map((text, index) => `${planted[index]?.entity.slug}: ${text}`).join('\n')
}
