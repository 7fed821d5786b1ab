// The control of `nodes.mjs`: node:http, the same driver, and as little of anything else as the same five requests
// need. What it costs more with more processes, more processes cost by themselves.
import { createServer } from 'node:http'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 })
await pool.query(`create table if not exists plain_tasks (
  id bigint generated always as identity primary key, title text not null, status text not null default 'open')`)

const one = async (name, text, values) => (await pool.query({ name, text, values })).rows[0]
const find = (id) => one('find', 'select * from plain_tasks where id = $1', [id])

async function answer(method, id, body) {
  if (method === 'POST') return one('make', 'insert into plain_tasks (title) values ($1) returning *', [body.title])
  if (method === 'GET' && id) return find(id)
  if (method === 'GET') {
    const { rows } = await pool.query({ name: 'list', text: 'select * from plain_tasks order by id desc limit 10' })
    return { data: rows }
  }
  const { title } = await find(id)
  return one('change', 'update plain_tasks set title = $2, status = $3 where id = $1 returning *', [
    id,
    title,
    body.status,
  ])
}

const server = createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  const id = /\/tasks\/(\d+)$/.exec(request.url)?.[1]
  const text = JSON.stringify(await answer(request.method, id, parts.length > 0 && JSON.parse(Buffer.concat(parts))))
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ ready: { url: `http://127.0.0.1:${server.address().port}` } })),
)
process.on('SIGTERM', () => process.exit(0))
