// Replays of many deliveries of a subscription: a job is made here and done by the workers, batch by batch.
import { type Replay, type ReplayRequest, replayBody, replay as replaySchema } from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { REPLAY_STARTED } from '../../delivery/queue/replay-job.js'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { badRequest, notFound } from '../../store/api-error.js'
import { firstIdAt, newId, timeOf } from '../../store/id.js'
import type { Reader } from '../../store/reader.js'
import { json } from '../../store/response.js'
import { raisedScope, refuseStopped, requireSubscription } from './subscription-rules.js'

const usualStatuses: Replay['statuses'] = ['FAILED', 'DEAD_LETTERED']

export const replayEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/webhooks/{id}/replay',
    scope: 'WRITE',
    raisedScope,
    operationId: 'replayWebhook',
    summary: 'Send again what has failed in a span of time',
    description:
      'Deliveries made from `since` to `until` (now) that are FAILED or DEAD_LETTERED, or what `statuses` says. ' +
      'One that is queued already is not queued twice.',
    tag: 'Webhooks',
    body: replayBody,
    returns: { status: 202, schema: replaySchema },
    handle: startReplay,
  }),
  endpoint({
    method: 'GET',
    path: '/webhooks/{id}/replays/{jobId}',
    scope: 'READ',
    operationId: 'getWebhookReplay',
    summary: 'How far a replay has come',
    tag: 'Webhooks',
    returns: { status: 200, schema: replaySchema },
    async handle(input) {
      const { read, params } = input
      const subscription = await requireSubscription(read, params.id)
      const replay = await findReplay(read, subscription.id, params.jobId)
      if (replay === undefined) throw notFound()
      return json(200, replay)
    },
  }),
]

interface Span {
  readonly since: Date
  readonly until: Date
  readonly statuses: Replay['statuses']
  readonly eventTypes: Replay['eventTypes']
}

async function startReplay(input: Input<ReplayRequest>) {
  const { work, caller, now } = input
  const subscription = await requireSubscription(work, input.params['id'] ?? '')
  refuseStopped(subscription)
  const span = spanOf(input)
  const id = newId(now)
  const matched = await countMatching(work, subscription.id, span)
  const replay: Replay = {
    id,
    subscriptionId: subscription.id,
    status: 'running',
    matched,
    queued: 0,
    since: span.since.toISOString(),
    until: span.until.toISOString(),
    statuses: span.statuses,
    eventTypes: span.eventTypes,
    createdAt: timeOf(id).toISOString(),
    finishedAt: null,
  }
  const { cursor, last } = boundsOf(span)
  const statement = sql`insert into webhook_replays (tenant_id, id, subscription_id, since, until, statuses,
    event_types, matched, cursor, last)
    select ${caller.tenantId}::uuid, ${id}::uuid, ${subscription.id}::uuid, ${span.since}::timestamptz,
      ${span.until}::timestamptz,
      ${span.statuses}::text[], ${span.eventTypes}::text[], ${matched}::int, ${cursor}::uuid, ${last}::uuid
        from not_a_replay returning 1`
  work.addStatement(statement, 1)
  work.announce(REPLAY_STARTED)
  return json(202, replay)
}

function spanOf({ body, now }: Input<ReplayRequest>): Span {
  const { since, until, statuses, eventTypes: types } = body
  const span: Span = {
    since: new Date(since),
    until: until === undefined ? now : new Date(until),
    statuses: statuses === undefined || statuses.length === 0 ? usualStatuses : [...new Set(statuses)],
    eventTypes: [...new Set(types)],
  }
  if (span.until < span.since) throw badRequest('until', 'must not be before since', 'span')
  return span
}

/** Ids carry the time of their making, so a span of time is a span of ids: above the one, below the other. */
const boundsOf = ({ since, until }: Span): { cursor: string; last: string } => ({
  cursor: firstIdAt(since),
  last: firstIdAt(new Date(until.getTime() + 1)),
})

async function countMatching({ database, tenantId }: Reader, subscriptionId: string, span: Span): Promise<number> {
  const { cursor, last } = boundsOf(span)
  const written = raw(span.statuses.map((status) => `'${status}'`).join(', '))
  const types: Sql = span.eventTypes.length > 0 ? sql`and event_type = any (${span.eventTypes}::text[])` : raw('')
  const [row] = await database.query<{ count: number }>(
    sql`select count(*)::int as count from all_deliveries where tenant_id = ${tenantId}
      and subscription_id = ${subscriptionId}
      and id > ${cursor} and id < ${last} and status in (${written}) ${types}`,
  )
  return row?.count ?? 0
}

type ReplayRow = [Replay['status'], number, number, Date, Date, Replay['statuses'], Replay['eventTypes'], Date | null]

async function findReplay(
  { database, tenantId }: Reader,
  subscriptionId: string,
  id: string,
): Promise<Replay | undefined> {
  const [row] = await database.read<ReplayRow>(
    sql`select status, matched, queued, since, until, statuses, event_types, finished_at from webhook_replays
      where tenant_id = ${tenantId} and id = ${id} and subscription_id = ${subscriptionId}`,
  )
  if (row === undefined) return undefined
  const [status, matched, queued, since, until, statuses, types, finishedAt] = row
  return {
    id,
    subscriptionId,
    status,
    matched,
    queued,
    since: since.toISOString(),
    until: until.toISOString(),
    statuses,
    eventTypes: types,
    createdAt: timeOf(id).toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  }
}
