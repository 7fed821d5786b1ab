// A subscriber that takes everything: an HTTPS server in a process of its own that answers 200 at once, counts, and keeps when each delivery came for the first time.
// Paths that begin with /fail are answered with 500, paths that begin with /hang never. The parent asks over IPC.
import { createServer } from 'node:https'

const { key, cert } = JSON.parse(process.argv[2])
const arrivals = new Map()
let requests = 0
let repeats = 0
let idle = 0
let lastAt = 0
let times = []

const server = createServer({ key, cert, keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume()
  request.on('end', () => {
    requests++
    lastAt = performance.timeOrigin + performance.now()
    times.push(lastAt)
    const id = request.headers['x-service-delivery-id']
    if (id !== undefined) {
      if (arrivals.has(id)) repeats++
      else arrivals.set(id, lastAt)
    }
    if (request.url.startsWith('/hang')) return void idle++
    response.writeHead(request.url.startsWith('/fail') ? 500 : 200, { 'content-length': 2 })
    response.end('ok')
  })
})

let connections = 0
server.on('secureConnection', () => connections++)

process.on('message', ({ id, ask }) => {
  const answers = {
    count: () => ({ requests, repeats, distinct: arrivals.size, idle, lastAt, connections }),
    arrivals: () => [...arrivals],
    times: () => times,
    clear: () => {
      arrivals.clear()
      times = []
      requests = repeats = idle = 0
      return true
    },
  }
  process.send({ id, answer: answers[ask]() })
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send({ ready: { url: `https://127.0.0.1:${server.address().port}` } }))
