// What every contender of the webhook benchmark sends with, apart from Parley itself: an undici pool of 64 TLS connections, and Parley's own signature and headers.

import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Pool } from 'undici'
import { sign } from '../../packages/server/dist/delivery/sign.js'

export const connections = 64

export function createPool(url) {
  const pool = new Pool(url, { connections, pipelining: 1, connect: { ca: readFileSync(process.env.NODE_EXTRA_CA_CERTS, 'utf8') } })
  /** One request, answered and read. */
  return async ({ id = randomUUID(), body, secret }) => {
    const bytes = Buffer.from(body)
    const signed = secret === undefined ? {} : sign({ secrets: [secret], eventId: id, body: bytes, timestamp: Math.floor(Date.now() / 1000) })
    const headers = { 'content-type': 'application/json', 'user-agent': 'Parley/0.1.0', 'x-service-delivery-id': id, ...signed }
    const answer = await pool.request({ method: 'POST', path: '/hook', headers, body: bytes })
    await answer.body.dump()
    if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`)
  }
}
