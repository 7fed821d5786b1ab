// Webhook subscriptions: make one, list, change, rotate its secret, revoke. A secret is shown once; afterwards it is
// known only sealed.
import {
  canMove,
  limits,
  rotationBody,
  type SubscriptionUpdate,
  subscriptionCreateBody,
  subscriptionMoves,
  subscriptionParameters,
  subscription as subscriptionSchema,
  subscriptionUpdateBody,
  subscriptionWithSecret,
  webhookSubscriptions,
} from '@parley/contract'
import { sql } from '../../database/sql.js'
import { rotatedSecrets, type SealedSecrets } from '../../delivery/attempt/secrets.js'
import { newSecret } from '../../delivery/attempt/sign.js'
import { SUBSCRIPTION_STOPPED } from '../../delivery/queue/revocation.js'
import type { Network } from '../../delivery/transport/address-policy.js'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { badRequest, illegalMove, notFound, unprocessable } from '../../store/api-error.js'
import { FANNED_OUT } from '../../store/commit.js'
import type { Reader } from '../../store/reader.js'
import { etag, withSecret } from '../../store/response.js'
import type { Sealer } from '../../store/secret-box.js'
import type { Work } from '../../store/work.js'
import { requireMatch } from '../generic/crud.js'
import { listPage, pageSchema } from '../generic/list.js'
import { changedFields, newRecord } from '../generic/record-values.js'
import {
  raisedScope,
  refuseRevoked,
  requireSubscription,
  requireValid,
  type Subscription,
} from './subscription-rules.js'

const tag = 'Webhooks'
const limitFence = 'webhook-subscriptions'

const previewOf = (secret: string): string => secret.slice(0, limits.secretPreviewLength)

/** `opened` are the networks that webhooks may reach besides public addresses. */
export const webhookEndpoints = (opened: readonly Network[]): Endpoint[] => [
  endpoint({
    method: 'GET',
    path: '/webhooks',
    scope: 'READ',
    operationId: 'listWebhooks',
    summary: 'List webhook subscriptions',
    tag,
    query: subscriptionParameters,
    returns: { status: 200, schema: pageSchema(subscriptionSchema) },
    handle: (input) =>
      listPage(
        webhookSubscriptions,
        input,
        input.query['includeRevoked'] === true ? [] : [{ field: 'revokedAt', op: '=', value: null }],
      ),
  }),
  endpoint({
    method: 'POST',
    path: '/webhooks',
    scope: 'WRITE',
    raisedScope,
    operationId: 'createWebhook',
    summary: 'Subscribe a URL to events',
    description:
      'The signing secret is in this answer and nowhere else. An empty `eventTypes` means the sixteen standard types.',
    tag,
    body: subscriptionCreateBody,
    returns: { status: 201, schema: subscriptionWithSecret },
    handle: (input) => subscribe(input, opened, {}),
  }),
  endpoint({
    method: 'GET',
    path: '/webhooks/{id}',
    scope: 'READ',
    operationId: 'getWebhook',
    summary: 'Get one webhook subscription',
    tag,
    returns: { status: 200, schema: subscriptionSchema },
    async handle({ read, params }) {
      const found = await read.stored(webhookSubscriptions, params['id'] ?? '')
      if (found === undefined) throw notFound()
      return { status: 200, body: found.text, headers: { etag: etag(found.version) } }
    },
  }),
  endpoint({
    method: 'PATCH',
    path: '/webhooks/{id}',
    scope: 'WRITE',
    raisedScope,
    operationId: 'updateWebhook',
    summary: 'Change, pause or resume a webhook subscription',
    description:
      'While it is paused or disabled, matching events wait; they are sent, oldest first, once it is active.',
    tag,
    body: subscriptionUpdateBody,
    returns: { status: 200, schema: subscriptionSchema },
    handle: (input) => changeSubscription(input, opened),
  }),
  endpoint({
    method: 'DELETE',
    path: '/webhooks/{id}',
    scope: 'WRITE',
    raisedScope,
    operationId: 'revokeWebhook',
    summary: 'Revoke a webhook subscription for good',
    description: 'Nothing is sent to it once this has answered.',
    tag,
    returns: { status: 204, schema: null },
    handle: revoke,
  }),
  endpoint({
    method: 'POST',
    path: '/webhooks/{id}/rotate-secret',
    scope: 'WRITE',
    raisedScope,
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the signing secret; both sign until the grace period ends',
    tag,
    body: rotationBody,
    returns: { status: 200, schema: subscriptionWithSecret },
    handle: rotate,
  }),
]

/** `also` is what a subscription of the platform says besides. */
export async function subscribe<T extends object>(
  input: Input<SubscriptionUpdate>,
  opened: readonly Network[],
  also: T,
) {
  const { work, body, sealer } = input
  const values = requireValid(body, opened)
  if (values.status === 'disabled') throw badRequest('status', 'must be active or paused at first', 'enum')
  work.addFence(await work.readFence(limitFence))
  await requireRoom(work)
  const secret = newSecret()
  const name = values.name ?? new URL(values.url ?? '').host
  const own = newRecord(webhookSubscriptions, work, { ...values, name, signingSecretPreview: previewOf(secret) })
  const record = { ...own, ...also }
  const sealed = sealer.seal(JSON.stringify({ current: secret } satisfies SealedSecrets))
  work.insert(webhookSubscriptions, record, { sealed })
  return withSecret(work.respond(201, { ...record, secret }))
}

async function requireRoom({ database, tenantId }: Reader): Promise<void> {
  const [row] = await database.read<[number]>(
    sql`select count(*)::int from webhook_subscriptions where tenant_id = ${tenantId} and revoked_at is null`,
  )
  if ((row?.[0] ?? 0) < limits.webhookSubscriptions) return
  throw unprocessable(
    'subscription_limit',
    `There are ${limits.webhookSubscriptions} subscriptions already; revoke one first`,
    {
      limit: limits.webhookSubscriptions,
    },
  )
}

async function changeSubscription(input: Input<SubscriptionUpdate>, opened: readonly Network[]) {
  const { work, params } = input
  const { status, ...values } = requireValid(input.body, opened)
  const before = await requireSubscription(work, params['id'] ?? '')
  requireMatch(input, before)
  refuseRevoked(before)
  const wanted = moved({ ...before, ...values }, status, input.now)
  if (changedFields(webhookSubscriptions, before, wanted).length === 0) return work.respond(200, before)
  const record = work.update(webhookSubscriptions, wanted)
  const isActivated = status === 'active' && before.status !== 'active'
  if (isActivated || record.url !== before.url) forgetFailures(work, record)
  if (isActivated) work.announce(FANNED_OUT, work.tenantId)
  else if (record.status !== before.status) announceStopped(work, record)
  return work.respond(200, record)
}

const announceStopped = (work: Work, { id: subscriptionId }: Subscription): void =>
  work.announce(SUBSCRIPTION_STOPPED, { tenantId: work.tenantId, subscriptionId })

/**
 * The subscription in the wanted state. Who disables it by hand gives no reason; who activates it takes the old one
 * away.
 */
function moved(subscription: Subscription, status: Subscription['status'] | undefined, now: Date): Subscription {
  if (status === undefined || status === subscription.status) return subscription
  if (!canMove(subscriptionMoves, subscription.status, status))
    throw illegalMove(subscription.status, status, subscriptionMoves[subscription.status])
  const isDisabled = status === 'disabled'
  return {
    ...subscription,
    status,
    disabledReason: isDisabled ? 'manual' : null,
    disabledAt: isDisabled ? now.toISOString() : null,
  }
}

/** A subscription that is activated again, or that has moved to another URL, is judged by what happens from now on. */
const forgetFailures = (work: Work, { id }: Subscription): void =>
  work.addStatement(sql`delete from webhook_failures f using not_a_replay
    where f.tenant_id = ${work.tenantId} and f.subscription_id = ${id} returning 1`)

async function revoke(input: Input) {
  const { work, params } = input
  const before = await requireSubscription(work, params['id'] ?? '')
  if (before.revokedAt !== null) return work.respond(204)
  requireMatch(input, before)
  const at = input.now.toISOString()
  const revoked = { status: 'disabled', disabledReason: 'revoked', disabledAt: at, revokedAt: at } as const
  const record = work.update(webhookSubscriptions, { ...before, ...revoked })
  forgetFailures(work, record)
  announceStopped(work, record)
  return work.respond(204)
}

async function rotate(input: Input<{ gracePeriodSeconds?: number }>) {
  const { work, sealer, now, body, params } = input
  const before = await requireSubscription(work, params['id'] ?? '')
  refuseRevoked(before)
  const sealed = await work.sealed(webhookSubscriptions, before.id)
  if (sealed === undefined) throw new Error(`The subscription ${before.id} has no secret`)
  const graceMs = (body.gracePeriodSeconds ?? limits.gracePeriodSecondsDefault) * 1_000
  const known = knownSecrets(sealer, sealed)
  const graceEndsAt = graceMs === 0 || known === undefined ? null : new Date(now.getTime() + graceMs)
  const secret = newSecret()
  const secrets = known ? rotatedSecrets(known, secret, graceEndsAt) : { current: secret }
  const previousSecretExpiresAt = graceEndsAt?.toISOString() ?? null
  const wanted = { ...before, signingSecretPreview: previewOf(secret), previousSecretExpiresAt }
  const record = work.update(webhookSubscriptions, wanted, { sealed: sealer.seal(JSON.stringify(secrets)) })
  return withSecret(work.respond(200, { ...record, secret }))
}

/** Undefined when they were encrypted with a secret that is lost: a new one then stands alone. */
function knownSecrets(sealer: Sealer, sealed: Buffer): SealedSecrets | undefined {
  try {
    return JSON.parse(sealer.open(sealed))
  } catch {
    return undefined
  }
}
