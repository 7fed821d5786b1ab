// Every table has a bound or something that shrinks it. A new table fails this test until it says how.
import { storedEntities } from '@parley/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/database/sql.js'
import { retentionChores } from '../../src/maintenance/retention.js'
import { tenantOf } from '../support/events.js'
import { type Service, startService } from '../support/service.js'

let service: Service
const now = new Date('2027-06-01T00:00:00Z')
beforeAll(async () => {
  service = await startService({ PARLEY_ROLE: 'api' })
})
afterAll(() => service.stop())

const chores = () => retentionChores({ database: service.database, clock: () => now, days: 90 })
const chore = async (name: string) => {
  const found = chores().find((one) => one.name === name)
  if (found === undefined) throw new Error(`There is no chore ${name}`)
  while (await found.run());
}

type Shrinking = { chore: string } | { bound: string } | { with: string }

/** Records are the users' own: they go when a user deletes them, except where a chore is named. */
const shrinking: Record<string, Shrinking> = {
  organizations: { bound: 'made by the operator' },
  tenants: { bound: 'two for each organization' },
  counters: { bound: 'the names are in the code' },
  calendar_feeds: { bound: 'a hundred for each tenant' },
  migrations: { bound: 'one for each file' },
  derived_schema: { bound: 'one row' },
  organization_homes: { bound: 'one for each organization that has lived on another server' },
  key_homes: { bound: 'one for each key of such an organization' },
  organization_moves: { bound: 'one for each organization: its latest move' },
  moving_organizations: { bound: 'a row goes when its move is done' },
  move_marks: { bound: 'a row goes when its move is done' },
  feed_steps: { bound: 'rows go when their move is done' },
  auth_revision: { bound: 'one row' },
  auth_changes: { bound: 'each change drops those 10,000 before it' },
  secret_canary: { bound: 'one row' },
  sending_hold: { bound: 'one row' },
  record_shapes: { bound: 'one for each entity' },
  migration_progress: { bound: 'one for each migration that runs' },
  platform_keys: { bound: 'made by the operator' },
  api_keys: { chore: 'retention of dead keys' },
  idempotency_keys: { chore: 'retention of idempotency keys' },
  answered_keys: { chore: 'partitions' },
  fences: { chore: 'retention of fences' },
  deleted_records: { chore: 'retention of deleted records' },
  events: { chore: 'partitions' },
  webhook_deliveries: { chore: 'moving of finished deliveries' },
  finished_deliveries: { chore: 'partitions' },
  webhook_replays: { chore: 'retention of replays' },
  webhook_subscriptions: { chore: 'retention of revoked subscriptions' },
  webhook_queues: { with: 'webhook_subscriptions' },
  delivery_workers: { bound: 'a row goes when its worker has ended, or what it left was found' },
  webhook_failures: { with: 'webhook_subscriptions' },
  merges: { bound: 'one for each record that is part of another; what it takes to undo it goes with the chore below' },
  moved_references: { chore: 'retention of merges' },
  reindexing: { bound: 'a row goes when its records are done' },
  sms_outbox: { bound: 'a row goes when its text is settled' },
  call_segments: { with: 'calls' },
  call_activity: { with: 'calls' },
  voicemail_recordings: { with: 'voicemails' },
  recording_fetches: { with: 'voicemails' },
  inbound_requests: { chore: 'partitions' },
  understanding_jobs: { bound: 'a row goes when its conversation is read' },
  model_calls: { chore: 'retention of model calls' },
  imports: { chore: 'retention of imports' },
  import_errors: { chore: 'retention of imports' },
  import_parts: { bound: 'a row goes when its import has ended and its bytes are gone' },
  request_log: { chore: 'partitions' },
  model_budgets: { chore: 'retention of model calls' },
  stats: { bound: 'a few for each quarter of an hour in which something happened' },
  stat_changes: { bound: 'a row goes when it is added up' },
  call_transcripts: { with: 'calls' },
  transcripts_due: { bound: 'a row goes when its words are made' },
  users: { bound: 'made by the operator and by invitations' },
  user_identities: { bound: 'a few for each user' },
  memberships: { bound: 'a thousand for each organization' },
  user_sessions: { chore: 'retention of sessions' },
  one_time_links: { chore: 'retention of one-time links' },
  sign_in_attempts: { chore: 'retention of attempts to sign in' },
  followed_servers: { bound: 'one for each server that was ever named in DATABASE_SHARDS' },
  past_partitions: { bound: 'one for each table that is read by transaction' },
  unnamed_blobs: { bound: 'a row goes when its blob is named, or swept from the disk' },
}

test('every table says how it shrinks', async () => {
  const tables = await service.database.query<{
    name: string
  }>(sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and not relispartition order by relname`)
  const records = storedEntities.map(({ table }) => table)
  expect(tables.map(({ name }) => name)).toEqual([...new Set([...records, ...Object.keys(shrinking)])].sort())
  const names = chores().map(({ name }) => name)
  const named = Object.values(shrinking).flatMap((how) => ('chore' in how ? [how.chore] : []))
  expect(named.filter((name) => !names.includes(name))).toEqual([])
  const owners = Object.values(shrinking).flatMap((how) => ('with' in how ? [how.with] : []))
  expect(owners.filter((owner) => !records.includes(owner))).toEqual([])
})

test('fences that nobody has touched for a day go, the others stay', async () => {
  const tenantId = await tenantOf(service, service.api)
  await service.database.query(sql`insert into fences (tenant_id, name, version, touched_at)
    select ${tenantId}::uuid, 'old ' || n, 1, now() - interval '25 hours' from generate_series(1, 1500) n`)
  await service.api.post('/people', { primaryPhone: '+15550100777' })
  await chore('retention of fences')
  const left = await service.database.query<{ name: string }>(
    sql`select name from fences where tenant_id = ${tenantId}`,
  )
  expect(left.map(({ name }) => name).filter((name) => name.startsWith('old'))).toEqual([])
  expect(left.map(({ name }) => name).join()).toContain('+15550100777')
})

test('a fence that is bumped is young again', async () => {
  await service.database.query(sql`update fences set touched_at = now() - interval '25 hours'`)
  await service.api.post('/people/upsert', { primaryPhone: '+15550100777', lastName: 'Bumped' })
  await service.api.post('/people', { primaryPhone: '+15550100777', lastName: 'Bumped too' })
  await chore('retention of fences')
  const left = await service.database.query<{ name: string }>(sql`select name from fences`)
  expect(left.map(({ name }) => name).join()).toContain('+15550100777')
})

test('keys and subscriptions that ended longer ago than records are kept go, with what hangs on them', async () => {
  const { sandbox: api } = await service.organization('Old ends')
  const kept = (await api.post('/api-keys', { name: 'kept', scope: 'READ' })).body
  const gone = (await api.post('/api-keys', { name: 'gone', scope: 'READ' })).body
  await api.delete(`/api-keys/${gone.id}`)
  await service.database.query(sql`update api_keys set revoked_at = '2027-01-01' where id = ${gone.id}`)
  const [revoked, active] = [await subscribe(), await subscribe()]
  await api.delete(`/webhooks/${revoked}`)
  await service.database.query(sql`update webhook_subscriptions
    set record = (record::jsonb || '{"revokedAt": "2027-01-01T00:00:00.000Z"}')::json where id = ${revoked}`)
  await chore('retention of dead keys')
  await chore('retention of revoked subscriptions')
  expect((await api.get('/api-keys?limit=100')).body.data.map(({ id }: { id: string }) => id)).toContain(kept.id)
  expect((await api.get(`/api-keys/${gone.id}`)).status).toBe(404)
  expect((await api.get(`/webhooks/${active}`)).status).toBe(200)
  expect((await api.get(`/webhooks/${revoked}`)).status).toBe(404)
  expect(await service.database.query(sql`select 1 from webhook_queues where subscription_id = ${revoked}`)).toEqual([])

  async function subscribe(): Promise<string> {
    return (await api.post('/webhooks', { url: 'https://example.com/' })).body.id
  }
})
