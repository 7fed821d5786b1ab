// What the webhook benchmarks put into the database: subscriptions that point to the sink, and deliveries that are due.
import pg from 'pg'
import { openDatabase } from '../../packages/server/dist/database/pool.js'
import { newSecret } from '../../packages/server/dist/delivery/attempt/sign.js'
import { mintKey } from '../../packages/server/dist/http/gate/api-keys.js'
import { createOrganization } from '../../packages/server/dist/program/create-organization.js'
import { newId } from '../../packages/server/dist/store/id.js'
import { createSealer } from '../../packages/server/dist/store/secret-box.js'

const sealer = createSealer('a secret for benchmarks only')

/** About 1.2 KB, as an event of a task is. */
export const sampleBody = (id) =>
  JSON.stringify({
    eventId: id,
    type: 'task.created',
    occurredAt: '2026-03-02T15:04:05.000Z',
    organizationId: '019caf13-e9c8-7c11-8d5e-6f2a9b0c4d11',
    environment: 'sandbox',
    data: {
      taskId: '019caf13-e9c8-7c11-8d5e-6f2a9b0c4d12',
      subjectType: null,
      subjectId: null,
      task: { title: 'Ring the customer back', description: 'Asked about the invoice of last month. '.repeat(24) },
    },
  })

/** An organization with a key for its sandbox. */
export async function addOrganization(url, name) {
  const pool = openDatabase({ url, connections: 1, statementTimeoutMs: 0 })
  const organizationId = newId(new Date())
  const minted = mintKey('sandbox')
  await createOrganization(pool, { id: organizationId, name }, new Date(), [{ environment: 'sandbox', minted }])
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(`select id from tenants where organization_id = $1 and environment = 'sandbox'`, [
    organizationId,
  ])
  await client.end()
  await pool.close()
  return { tenantId: rows[0].id, organizationId, key: minted.key }
}

export async function addSubscriptions(client, { tenantId, organizationId, urls, eventTypes = [] }) {
  const made = []
  for (const url of urls) {
    const id = newId(new Date())
    const secret = newSecret()
    const record = {
      id,
      organizationId,
      name: 'Bench',
      url,
      eventTypes,
      status: 'active',
      description: null,
      signingSecretPreview: secret.slice(0, 12),
      throttlePerSecond: null,
      disabledReason: null,
      disabledAt: null,
      revokedAt: null,
      previousSecretExpiresAt: null,
      externalRefs: [],
      createdAt: new Date().toISOString(),
      updatedAt: new Date().toISOString(),
      version: 1,
    }
    await client.query(
      'insert into webhook_subscriptions (tenant_id, id, version, updated_at, record, sealed, event_types) values ($1, $2, 1, now(), $3, $4, $5)',
      [tenantId, id, JSON.stringify(record), sealer.seal(JSON.stringify({ current: secret })), eventTypes],
    )
    made.push({ id, url, secret })
  }
  return made
}

/**
 * `count` events, each with one delivery, spread over the subscriptions. Ids rise with time, as those of real events
 * do.
 */
export async function addDeliveries(client, { tenantId, subscriptions, count }) {
  const ids = subscriptions.map(({ id }) => id)
  await client.query(
    `with made as (
      insert into events (tenant_id, id, type, opt_in, occurred_at, body)
      select $1, '01' || lpad($4, 16, '0') || lpad(n::text, 8, '0'), 'task.created', false, now(), $2 from generate_series(1, $3::int) n returning id
    )
    insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type, next_attempt_at, created_at)
    select $1, uuid_v7(now()), ($5::uuid[])[1 + row_number() over () % cardinality($5::uuid[])], id, 'task.created', now(), now() from made`,
    [tenantId, sampleBody('01KJQH7VM8T6M3N5P7R9V0XCZ4'), count, String(Date.now()), ids],
  )
}

/** Statements that the database has run so far, each being a transaction of its own. */
export async function statements(client) {
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query(
    'select xact_commit::int as count from pg_stat_database where datname = current_database()',
  )
  return rows[0].count
}

export async function openCount(client) {
  const { rows } = await client.query(
    `select count(*)::int as count from webhook_deliveries where status in ('PENDING', 'RETRYING')`,
  )
  return rows[0].count
}
