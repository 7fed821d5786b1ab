// The whole integration of a repair shop: its customers come from a file, a call of a known customer becomes a job by
// itself, everything else waits for a person, and callers are texted back.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type EventOf, Parley } from '@parley/sdk'
import { verifyWebhook, WebhookVerificationError } from '@parley/sdk/webhooks'

const { PARLEY_WEBHOOK_SECRET = '', CUSTOMERS = 'customers.ndjson', PORT = '4000' } = process.env
const parley = new Parley() // by PARLEY_API_KEY and PARLEY_BASE_URL

/** One `{number, name, phone}` a line, in batches of 500. Upserts: importing again changes what has changed. */
async function importCustomers(): Promise<number> {
  const lines = (await readFile(CUSTOMERS, 'utf8')).split('\n').filter(Boolean)
  const rows: { number: string; name: string; phone: string }[] = lines.map((line) => JSON.parse(line))
  for (let at = 0; at < rows.length; at += 500) {
    const some = rows.slice(at, at + 500).map(({ number, name, phone }) => ({
      displayName: name,
      primaryPhone: phone,
      externalRefs: [{ system: 'shop', externalId: number }],
    }))
    const customers = await parley.customers.batch(some.map((data) => ({ op: 'upsert', data })))
    const refused = customers.find(({ error }) => error)
    if (refused) throw new Error(`A customer was refused: ${refused.error?.message}`)
    const people = some.map((data, index) => ({ ...data, customerId: customers[index]?.record?.id }))
    await parley.people.batch(
      people.map((data) => ({ op: 'upsert', data })),
      { atomic: true },
    )
  }
  return rows.length
}

/** The rule: someone we know, who does not complain, gets a job without anyone looking at it. */
async function onCallEnded({ data: { draft, from, customerId, signals } }: EventOf<'call.ended'>): Promise<void> {
  if (draft === null || from === null) return
  const isRoutine = customerId !== null && !signals.some(({ kind }) => kind === 'complaint')
  if (isRoutine) await parley.drafts.approve(draft.id)
  const body = isRoutine ? `Booked: ${draft.title}. See you soon!` : 'Thank you for calling. We will get back to you.'
  await parley.sms.send({ to: from, body }, { idempotencyKey: `after-${draft.id}` })
}

async function onCallMissed({ data: { callId, from } }: EventOf<'call.missed'>): Promise<void> {
  const body = 'Sorry that we missed you. What can we fix?'
  if (from !== null) await parley.sms.send({ to: from, body }, { idempotencyKey: `missed-${callId}` })
}

const server = createServer(async (request, response) => {
  try {
    const event = await verifyWebhook(Buffer.concat(await request.toArray()), request.headers, PARLEY_WEBHOOK_SECRET)
    if (event.type === 'call.ended') await onCallEnded(event)
    if (event.type === 'call.missed') await onCallMissed(event)
    response.writeHead(204).end()
  } catch (error) {
    console.error(error)
    response.writeHead(error instanceof WebhookVerificationError ? 400 : 500).end()
  }
})
console.log(`${await importCustomers()} customers imported`)
server.listen(Number(PORT), () => console.log(`listening on ${PORT}`))
