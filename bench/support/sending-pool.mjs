// What every contender of the webhook benchmark sends with, apart from Parley itself: an undici pool of 64 TLS
// connections, and Parley's own headers. Without a secret of its own, a request carries the headers of the first one,
// signature included: the same bytes without the work.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Pool } from 'undici'
import { headersOf } from '../../packages/server/dist/delivery/attempt/attempt.js'
import { newSecret } from '../../packages/server/dist/delivery/attempt/sign.js'

export const connections = 64

export function createPool(url) {
  const pool = new Pool(url, {
    connections,
    pipelining: 1,
    connect: { ca: readFileSync(process.env.NODE_EXTRA_CA_CERTS, 'utf8') },
  })
  const headersFor = (id, bytes, secret) =>
    headersOf(
      { body: bytes, secrets: [secret], eventId: id, eventType: 'task.created', deliveryId: id, attempt: 1 },
      new Date(),
      '0.1.0',
    )
  let ready
  /** One request, answered and read. */
  return async ({ id = randomUUID(), body, secret }) => {
    const bytes = Buffer.from(body)
    ready ??= headersFor(id, bytes, secret ?? newSecret())
    const headers = secret === undefined ? ready : headersFor(id, bytes, secret)
    const answer = await pool.request({ method: 'POST', path: '/hook', headers, body: bytes })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
  }
}
