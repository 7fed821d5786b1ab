// A subscriber that takes everything: an HTTPS server of the barest kind in a process of its own that answers 200 at
// once, counts, and keeps when each delivery came for the first time. Paths that begin with /fail are answered with
// 500, with /slow after eight seconds, with /hang never. The parent asks over IPC.
import { createServer } from 'node:tls'

const { key, cert } = JSON.parse(process.argv[2])
const arrivals = new Map()
let requests = 0
let repeats = 0
let idle = 0
let lastAt = 0
let times = []

// As little HTTP as it takes: the sink shares two cores with what is measured.
const ok = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
const failure = Buffer.from('HTTP/1.1 500 Internal Server Error\r\nContent-Length: 2\r\n\r\nok')

const server = createServer({ key, cert }, (socket) => {
  let unread = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    for (let end = unread.indexOf('\r\n\r\n'); end >= 0; end = unread.indexOf('\r\n\r\n')) {
      const head = unread.latin1Slice(0, end)
      const size = end + 4 + Number(/\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (unread.length < size) return
      unread = unread.subarray(size)
      answer(socket, head)
    }
  })
})

function answer(socket, head) {
  requests++
  lastAt = performance.timeOrigin + performance.now()
  times.push(lastAt)
  const id = /\nx-service-delivery-id: (\S+)/i.exec(head)?.[1]
  if (id !== undefined) {
    if (arrivals.has(id)) repeats++
    else arrivals.set(id, lastAt)
  }
  if (head.startsWith('POST /hang')) return void idle++
  if (head.startsWith('POST /slow')) return void setTimeout(() => socket.write(ok), slowMs)
  socket.write(head.startsWith('POST /fail') ? failure : ok)
}

const slowMs = 8_000
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
