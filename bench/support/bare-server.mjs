// The ceiling: a bare node:http server that answers every request with the same bytes.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

const body = readFileSync(process.argv[2])
const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length }
const server = createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ ready: { url: `http://127.0.0.1:${server.address().port}` } })),
)
process.on('SIGTERM', () => process.exit(0))
