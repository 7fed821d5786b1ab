// The ceiling of sending: the same HTTP client posting the same bytes to the same sink, without a database. `signed`
// says whether each request is signed as Parley does.
import { newSecret } from '../../packages/server/dist/delivery/attempt/sign.js'
import { connections, createPool } from './sending-pool.mjs'
import { sampleBody } from './webhook-load.mjs'

const { url, count, isSigned } = JSON.parse(process.argv[2])
const send = createPool(url)
const body = sampleBody('01KJQH7VM8T6M3N5P7R9V0XCZ4')
const secret = isSigned ? newSecret() : undefined
let left = count
console.log(JSON.stringify({ ready: {} }))
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (left-- > 0) await send({ body, secret })
  }),
)
process.exit(0)
