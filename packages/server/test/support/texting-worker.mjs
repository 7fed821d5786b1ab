// A worker in a process of its own, to be killed: it takes queued texts to a carrier over HTTP until it dies.
// Usage: node texting-worker.mjs DATABASE_URL SECRET
import { openDatabase } from '../../dist/database/pool.js'
import { fanOutToSubscriptions as fanOut } from '../../dist/delivery/queue/fan-out.js'
import { smsSending } from '../../dist/resources/messaging/sms-outbox-adapter.js'
import { createSealer } from '../../dist/store/secret-box.js'
import { createSmsOutbox } from '../../dist/telephony/sms-outbox.js'

const [url, secret] = process.argv.slice(2)
const database = openDatabase({ url, connections: 5, statementTimeoutMs: 30_000 })
const clock = () => new Date()

const carriers = {
  post: {
    open: ({ config }) => ({
      async send(text, signal) {
        const response = await fetch(config.url, { method: 'POST', body: JSON.stringify(text), signal })
        return response.json()
      },
    }),
  },
}

const onTrouble = (error) => console.error(error)
const sending = smsSending({ database, sealer: createSealer(secret), fanOut, clock, carriers, onCommit: () => {} })
createSmsOutbox({ database, clock, onTrouble, ...sending }).start()
setInterval(() => {}, 1_000)
console.log('working')
