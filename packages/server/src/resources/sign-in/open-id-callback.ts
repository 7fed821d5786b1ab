// Where the browser comes back to from the OpenID Connect provider: no endpoint of the API but a page that sends it on,
// signed in or with a word for what went wrong.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../../database/pool.js'
import { raw, type Sql, sql } from '../../database/sql.js'
import type { ReadInput, Services, Visitor } from '../../http/endpoint.js'
import type { Gate } from '../../http/gate/gate.js'
import { visitorFrom } from '../../http/mount.js'
import { newId } from '../../store/id.js'
import { ListReader } from '../../store/list-reader.js'
import type { Sealer } from '../../store/secret-box.js'
import { joining, requireInvitation } from './accept-invitation.js'
import { beginSession } from './begin-session.js'
import { CALLBACK_PATH, clearedFlowCookie, type Flow, readFlow } from './open-id-flow.js'
import { type Identity, ProviderAway } from './open-id-provider.js'
import { isSecure, type SigningIn } from './signing-in.js'

export interface CallbackParts {
  readonly gate: Gate
  readonly database: Database
  readonly sealer: Sealer
  readonly services: Services
  readonly clock: () => Date
  readonly signingIn: SigningIn
}

/** What went wrong, in a word for the page. */
type Problem = 'expired' | 'refused' | 'provider_away' | 'unknown_identity' | 'link_spent' | 'other_user' | 'taken'

type Arrival = Pick<ReadInput, 'read' | 'now' | 'services'> & { readonly visitor: Visitor }
/** The cookies of whoever is signed in now; a problem otherwise. */
type Outcome = Problem | { readonly cookies: string[] }

export function mountSignInCallback(app: FastifyInstance, parts: CallbackParts): void {
  app.get(CALLBACK_PATH, async (request, reply) => {
    const session = await parts.gate.visitor(request)
    const now = parts.clock()
    const visitor = visitorFrom(request, session)
    const arrival = { read: new ListReader(parts.database, ''), now, services: parts.services, visitor }
    const flow = readFlow(parts.sealer, visitor, now)
    const outcome = flow === undefined ? 'expired' : await arrive(arrival, parts, flow, request)
    return sendOn(arrival, reply, outcome, flow?.returnTo ?? '/')
  })
}

function sendOn(arrival: Arrival, reply: FastifyReply, outcome: Outcome, returnTo: string): FastifyReply {
  const cookies = typeof outcome === 'string' ? [] : outcome.cookies
  const target = typeof outcome === 'string' ? `/sign-in?problem=${outcome}` : returnTo
  return reply.header('set-cookie', [clearedFlowCookie(isSecure(arrival)), ...cookies]).redirect(target, 303)
}

async function arrive(
  arrival: Arrival,
  { signingIn }: CallbackParts,
  flow: Flow,
  request: FastifyRequest,
): Promise<Outcome> {
  const cameBackTo = new URL(arrival.services.publicUrl() + request.url)
  try {
    const identity = await signingIn.openId?.finish(cameBackTo, flow.checks)
    if (identity === undefined) return 'refused'
    return flow.linkUserId === undefined
      ? await enter(arrival, signingIn, identity, flow.token)
      : await linkIdentity(arrival, identity, flow.linkUserId)
  } catch (error) {
    if (error instanceof ProviderAway) return 'provider_away'
    if (isSpent(error)) return 'link_spent'
    request.log.warn({ err: error, requestId: request.id }, 'a sign-in at the identity provider was refused')
    return 'refused'
  }
}

const isSpent = (error: unknown): boolean =>
  (error as { details?: { reason?: unknown } }).details?.reason === 'link_spent'

/** The user who asked for it must still be the one who is signed in. */
async function linkIdentity({ read, now, visitor }: Arrival, identity: Identity, userId: string): Promise<Outcome> {
  if (visitor.session?.userId !== userId) return 'other_user'
  await read.database.query(sql`insert into user_identities (issuer, subject, user_id, linked_at)
    values (${identity.issuer}, ${identity.subject}, ${userId}, ${now}) on conflict do nothing`)
  return (await ownerOf(read.database, identity)) === userId ? { cookies: [] } : 'taken'
}

async function enter(
  arrival: Arrival,
  signingIn: SigningIn,
  identity: Identity,
  token: string | undefined,
): Promise<Outcome> {
  const userId = await ownerOf(arrival.read.database, identity)
  if (userId === undefined && token === undefined) return 'unknown_identity'
  if (userId === undefined) return enterAnew(arrival, signingIn, identity, token ?? '')
  if (token === undefined) return begin(arrival, signingIn, sql`admitted as (select ${userId}::uuid as user_id)`)
  await requireInvitation(arrival, token)
  const isInvited = sql`and exists (select from users u where u.id = ${userId} and u.email = l.email)`
  const outcome = await begin(
    arrival,
    signingIn,
    joining(token, arrival.now, sql`select ${userId}::uuid as user_id`, isInvited),
  )
  return outcome === 'refused' ? 'other_user' : outcome
}

/** An invitation makes a new user of an identity, unless its address has a user already: that one must sign in first. */
async function enterAnew(arrival: Arrival, signingIn: SigningIn, identity: Identity, token: string): Promise<Outcome> {
  const { now } = arrival
  const { email } = await requireInvitation(arrival, token)
  const isFree = raw('and not exists (select from users u where u.email = l.email)')
  const name = identity.name?.slice(0, 255) ?? email.replace(/@.*/, '')
  const made = sql`insert into users (id, name, email, created_at)
    select ${newId(now)}::uuid, ${name}, link.email, ${now}::timestamptz from link returning id as user_id`
  const linked = sql`identity as (insert into user_identities (issuer, subject, user_id, linked_at)
    select ${identity.issuer}, ${identity.subject}, user_id, ${now}::timestamptz from newcomer)`
  const outcome = await begin(arrival, signingIn, sql`${joining(token, now, made, isFree)}, ${linked}`)
  return outcome === 'refused' ? 'other_user' : outcome
}

async function begin(arrival: Arrival, signingIn: SigningIn, expressions: Sql): Promise<Outcome> {
  const begun = await beginSession(arrival, signingIn, expressions)
  return begun ? { cookies: [begun.cookie] } : 'refused'
}

async function ownerOf(database: Database, { issuer, subject }: Identity): Promise<string | undefined> {
  const [row] = await database.query<{ user_id: string }>(
    sql`select user_id from user_identities where issuer = ${issuer} and subject = ${subject}`,
  )
  return row?.user_id
}
