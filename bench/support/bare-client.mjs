// The ceiling of sending: the same HTTP client posting the same bytes to the same sink, without a database, a signature or a log.
import { Pool } from 'undici'
import { sampleBody } from './webhook-load.mjs'

const [url, requests, connections, ca] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4]), process.argv[5]]
const pool = new Pool(url, { connections, pipelining: 1, connect: { ca } })
const body = Buffer.from(sampleBody('01KJQH7VM8T6M3N5P7R9V0XCZ4'))
const headers = { 'content-type': 'application/json', 'user-agent': 'Parley/0.1.0' }
let left = requests
const send = async () => {
  while (left-- > 0) {
    const answer = await pool.request({ method: 'POST', path: '/hook', headers, body })
    await answer.body.dump()
  }
}
const began = performance.now()
await Promise.all(Array.from({ length: connections }, send))
const { user, system } = process.cpuUsage()
console.log(JSON.stringify({ ready: { perSecond: requests / ((performance.now() - began) / 1000), cpuMs: (user + system) / 1000 } }))
await pool.close()
