// Makes events at a steady rate: tasks created over HTTP, the organizations taking turns.
import { Pool } from 'undici'

const { url, keys, perSecond, seconds } = JSON.parse(process.argv[2])
const pool = new Pool(url, { connections: 32, pipelining: 1 })
const body = JSON.stringify({
  title: 'Ring the customer back',
  description: 'Asked about the invoice of last month. '.repeat(11),
})
const made = { accepted: 0, refused: 0 }
const create = async (number) => {
  const headers = { authorization: `Bearer ${keys[number % keys.length]}`, 'content-type': 'application/json' }
  const answer = await pool.request({ method: 'POST', path: '/api/v1/tasks', headers, body })
  await answer.body.dump()
  if (answer.statusCode === 201) made.accepted++
  else made.refused++
}
console.log(JSON.stringify({ ready: {} }))
const began = performance.now()
const underWay = new Set()
await new Promise((resolve) => {
  let number = 0
  const timer = setInterval(() => {
    const elapsed = Math.min(seconds, (performance.now() - began) / 1000)
    for (; number < Math.floor(elapsed * perSecond); number++) {
      const one = create(number)
        .catch(() => made.refused++)
        .finally(() => underWay.delete(one))
      underWay.add(one)
    }
    if (elapsed < seconds) return
    clearInterval(timer)
    resolve()
  }, 2)
})
await Promise.all(underWay)
console.log(JSON.stringify({ made }))
process.exit(0)
