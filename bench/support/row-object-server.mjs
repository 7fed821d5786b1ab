// The usual way, as a baseline: Fastify, typed columns, row objects from pg, and Fastify's own serializer.
import fastify from 'fastify'
import pg from 'pg'

const pool = new pg.Pool({ connectionString: process.argv[2], max: 10 })
const app = fastify()
const columns = JSON.parse(process.argv[3])
const text = { type: ['string', 'null'] }
const properties = Object.fromEntries(
  columns.map(({ field, type }) => [field, type === 'json' ? {} : type === 'integer' ? { type: 'integer' } : text]),
)
const schema = {
  type: 'object',
  properties: { data: { type: 'array', items: { type: 'object', properties } }, pagination: {}, meta: {} },
}
const select = `select ${columns.map(({ name, field }) => `${name} as "${field}"`).join(', ')} from baseline_tasks where tenant_id = $1 order by id desc limit 51`
app.get('/tasks', { schema: { response: { 200: schema } } }, async (request) => {
  const { rows } = await pool.query({ name: 'page', text: select, values: [request.headers['x-tenant']] })
  return {
    data: rows.slice(0, 50),
    pagination: { limit: 50, nextCursor: rows[50]?.id ?? null },
    meta: { requestId: request.id },
  }
})
await app.listen({ port: 0, host: '127.0.0.1' })
console.log(JSON.stringify({ ready: { url: `http://127.0.0.1:${app.server.address().port}` } }))
process.on('SIGTERM', () => process.exit(0))
