// The sessions of the signed-in user: where they are signed in, and ending any of them.
import { limits, userSession } from '@parley/contract'
import { type Sql, sql } from '../../database/sql.js'
import { type Endpoint, pageEndpoint, type ReadInput } from '../../http/endpoint.js'
import { listAnswer } from '../../http/respond.js'
import { notFound } from '../../store/api-error.js'
import { unpagedSchema } from '../generic/response-schemas.js'
import { closeStreamsOf, sessionOf } from './signing-in.js'

type SessionRow = [string, Date, Date, Date, string | null, string | null]

async function listSessions(input: ReadInput) {
  const { id: current, userId } = sessionOf(input)
  const rows = await input.read.database.read<SessionRow>(sql`
    select id, created_at, last_used_at, expires_at, user_agent, address from user_sessions
    where user_id = ${userId} and expires_at > ${input.now}::timestamptz
    order by last_used_at desc limit ${limits.userSessions}::int`)
  const texts = rows.map(([id, createdAt, lastUsedAt, expiresAt, userAgent, address]) =>
    JSON.stringify({ id, createdAt, lastUsedAt, expiresAt, userAgent, address, isCurrent: id === current }),
  )
  return listAnswer(texts, input.requestId)
}

/** How many sessions of the user were ended. */
async function end(input: ReadInput, which: Sql): Promise<number> {
  const { userId } = sessionOf(input)
  const ended = await input.read.database.query(
    sql`delete from user_sessions where user_id = ${userId} and ${which} returning id`,
  )
  if (ended.length > 0) closeStreamsOf(input, userId)
  return ended.length
}

export const ownSessionEndpoints: Endpoint[] = [
  pageEndpoint({
    method: 'GET',
    path: '/sessions',
    scope: 'user',
    operationId: 'listSessions',
    summary: 'Where the user is signed in',
    tag: 'Signing in',
    returns: { status: 200, schema: unpagedSchema(userSession) },
    handle: listSessions,
  }),
  pageEndpoint({
    method: 'DELETE',
    path: '/sessions',
    scope: 'user',
    operationId: 'endOtherSessions',
    summary: 'End all sessions of the user but this one',
    tag: 'Signing in',
    returns: { status: 204, schema: null },
    async handle(input) {
      await end(input, sql`id <> ${sessionOf(input).id}`)
      return { status: 204, body: null }
    },
  }),
  pageEndpoint({
    method: 'DELETE',
    path: '/sessions/{id}',
    scope: 'user',
    operationId: 'endOneSession',
    summary: 'End one session of the user, at once',
    tag: 'Signing in',
    returns: { status: 204, schema: null },
    async handle(input) {
      if ((await end(input, sql`id = ${input.params.id}`)) === 0) throw notFound()
      return { status: 204, body: null }
    },
  }),
]
