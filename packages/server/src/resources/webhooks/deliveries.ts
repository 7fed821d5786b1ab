// The log of deliveries of a subscription: list, read one, replay one, and send a test event.
import {
  type Delivery,
  type DeliveryStatus,
  deliveryParameters,
  deliveryReplayBody,
  delivery as deliverySchema,
  type EventType,
  expandParameters,
  isEventType,
  sampleEventData,
  webhookTestBody,
} from '@parley/contract'
import { raw, type Sql, sql } from '../../database/sql.js'
import { insertRequeued, requeued } from '../../delivery/queue/finished-deliveries.js'
import { type Endpoint, endpoint, type Input, type ReadInput } from '../../http/endpoint.js'
import { conflict, notFound } from '../../store/api-error.js'
import { FANNED_OUT } from '../../store/commit.js'
import { newEventId, newId, timeOf } from '../../store/id.js'
import { countRows } from '../../store/list-reader.js'
import { json } from '../../store/response.js'
import { askedFor, pageSchema, textPage } from '../generic/list.js'
import { scan, scanNote } from '../generic/scan.js'
import {
  expansionsOf,
  type FoundDelivery,
  findDeliveries,
  newestDeliveries,
  openStatuses,
  presentDeliveries,
  statusCondition,
} from './delivery-log.js'
import { raisedScope, refuseStopped, requireSubscription, type Subscription } from './subscription-rules.js'

const tag = 'Webhooks'

export const deliveryEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/webhooks/{id}/deliveries',
    scope: 'READ',
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a subscription, newest first',
    description: scanNote,
    tag,
    query: deliveryParameters,
    returns: { status: 200, schema: pageSchema(deliverySchema) },
    handle: listDeliveries,
  }),
  endpoint({
    method: 'GET',
    path: '/webhooks/{id}/deliveries/{deliveryId}',
    scope: 'READ',
    operationId: 'getWebhookDelivery',
    summary: 'Get one delivery',
    tag,
    query: expandParameters,
    returns: { status: 200, schema: deliverySchema },
    async handle(input) {
      const { read } = input
      const subscription = await requireSubscription(read, input.params.id)
      const expanded = expansionsOf(input.query)
      const found = await findDeliveries(read, subscription, oneDelivery(input), expanded)
      const [body] = presentDeliveries(found)
      if (body === undefined) throw notFound()
      return { status: 200, body }
    },
  }),
  endpoint({
    method: 'POST',
    path: '/webhooks/{id}/deliveries/{deliveryId}/replay',
    scope: 'WRITE',
    raisedScope,
    operationId: 'replayWebhookDelivery',
    summary: 'Send a delivery again, with a new cycle of attempts',
    description:
      'Takes deliveries that are FAILED or DEAD_LETTERED, and with `force` also SUCCEEDED. The bytes are those of ' +
      'the first time.',
    tag,
    body: deliveryReplayBody,
    returns: { status: 202, schema: deliverySchema },
    handle: replay,
  }),
  endpoint({
    method: 'POST',
    path: '/webhooks/{id}/test',
    scope: 'WRITE',
    raisedScope,
    operationId: 'testWebhook',
    summary: 'Send a sample event, really signed',
    description:
      'The event is not in the event log, and its delivery is in the log of the subscription. Without ' +
      '`eventType`, the first type of the subscription is taken.',
    tag,
    body: webhookTestBody,
    returns: { status: 202, schema: deliverySchema },
    handle: sendTest,
  }),
]

const oneDelivery = ({ params }: { params: { deliveryId: string } }): Sql => sql`and d.id = ${params.deliveryId}`

async function listDeliveries(input: ReadInput) {
  const { read, query } = input
  const subscription = await requireSubscription(read, input.params['id'] ?? '')
  const expanded = expansionsOf(query)
  const statuses = query['status'] as DeliveryStatus[] | undefined
  const condition = statuses && statusCondition(statuses, subscription)
  const { q } = askedFor(input)
  const newest = (below: string | undefined, rows: number, expansions: typeof expanded) =>
    newestDeliveries(read, subscription, { condition, below, rows, now: input.now }, expansions)
  const shown = (found: readonly FoundDelivery[]) => {
    const texts = presentDeliveries(found)
    return found.map(({ delivery }, index) => ({ id: delivery.id, text: texts[index] ?? '' }))
  }
  const plain = async (below: string | undefined, rows: number) =>
    (await newest(below, rows, new Set())).map(({ delivery }) => delivery)
  const scanned = q === undefined ? undefined : scan(q, searchedValues, plain)
  const find = async (below: string | undefined, rows: number) => {
    if (scanned === undefined) return shown(await newest(below, rows, expanded))
    const { rows: found, readTo } = await scanned.find(below, rows)
    const ids = found.slice(0, rows).map(({ id }) => id)
    const theirs = sql`and d.id = any (${ids}::uuid[]) order by d.id desc`
    return { rows: shown(await findDeliveries(read, subscription, theirs, expanded)), readTo }
  }
  const stored = sql`from all_deliveries d where d.tenant_id = ${read.tenantId}
    and d.subscription_id = ${subscription.id} ${condition ?? raw('')}`
  const count = scanned?.count ?? (() => countRows(read.database, stored))
  return textPage(input, 'webhook-deliveries', { find, count, idOf: ({ id }) => id }, ({ text }) => text)
}

const searchedValues = ({ eventType, eventId, status, lastError, lastResponseStatus }: Delivery): string[] => [
  eventType,
  eventId,
  status,
  lastError ?? '',
  String(lastResponseStatus ?? ''),
]

async function replay(input: Input<{ force?: boolean }, unknown, { id: string; deliveryId: string }>) {
  const { work, caller, body, now } = input
  const subscription = await requireSubscription(work, input.params.id)
  const [found] = await findDeliveries(work, subscription, oneDelivery(input), new Set())
  if (found === undefined) throw notFound()
  const { delivery } = found
  refuseStopped(subscription)
  requireReplayable(delivery, body.force === true)
  const isIt = sql`d.tenant_id = ${caller.tenantId} and d.subscription_id = ${subscription.id} and d.id = ${delivery.id}
    and d.status = ${delivery.status} and d.replay_count = ${delivery.replayCount}`
  const at = sql`least(${now}::timestamptz, now())`
  const after: Delivery = {
    ...delivery,
    status: 'PENDING',
    replayCount: delivery.replayCount + 1,
    nextAttemptAt: dueAt(subscription, now),
    deliveredAt: null,
  }
  if (found.hasMoved) {
    const taken = sql`delete from finished_deliveries d using not_a_replay where ${isIt} returning d.*`
    work.addStatement(taken, 1, { name: 'taken_back' })
    work.addStatement(sql`${insertRequeued(raw('taken_back d'), at)} returning 1`, 1)
  } else
    work.addStatement(
      sql`update webhook_deliveries d set ${requeued(at)} from not_a_replay where ${isIt} returning 1`,
      1,
    )
  work.announce(FANNED_OUT, caller.tenantId)
  return json(202, after)
}

function requireReplayable({ status }: Delivery, isForced: boolean): void {
  const allowed = ['FAILED', 'DEAD_LETTERED']
  if (openStatuses.includes(status))
    throw conflict('state', `The delivery is ${status}: it is already queued`, { from: status, to: 'PENDING', allowed })
  if (status === 'SUCCEEDED' && !isForced) {
    throw conflict('state', 'The delivery has succeeded; send {"force": true} to deliver it again', {
      from: status,
      to: 'PENDING',
      allowed,
    })
  }
}

/** While a subscription is paused, its deliveries wait without a time. */
const dueAt = ({ status }: Subscription, now: Date): string | null => (status === 'active' ? now.toISOString() : null)

async function sendTest(input: Input<{ eventType?: EventType }>) {
  const { work, caller, now, body } = input
  const subscription = await requireSubscription(work, input.params['id'] ?? '')
  refuseStopped(subscription)
  const eventType = body.eventType ?? subscription.eventTypes.find(isEventType) ?? 'call.ended'
  const { tenantId, organizationId, environment } = caller
  const id = newId(now)
  const eventId = newEventId(now)
  const data = sampleEventData(eventType)
  const bytes = JSON.stringify({
    eventId,
    type: eventType,
    occurredAt: now.toISOString(),
    organizationId,
    environment,
    data,
  })
  const createdAt = timeOf(id)
  const delivery: Delivery = {
    id,
    subscriptionId: subscription.id,
    eventId,
    eventType,
    status: 'PENDING',
    attemptCount: 0,
    replayCount: 0,
    nextAttemptAt: dueAt(subscription, now),
    lastAttemptAt: null,
    lastResponseStatus: null,
    lastError: null,
    createdAt: createdAt.toISOString(),
    deliveredAt: null,
  }
  const statement = sql`insert into webhook_deliveries (tenant_id, id, subscription_id, event_id, event_type,
    next_attempt_at, created_at, body)
    select ${tenantId}::uuid, ${id}::uuid, ${subscription.id}::uuid, ${eventId}, ${eventType},
      least(${now}::timestamptz, now()), ${createdAt}::timestamptz, ${bytes} from not_a_replay returning 1`
  work.addStatement(statement, 1)
  work.announce(FANNED_OUT, tenantId)
  return json(202, delivery)
}
