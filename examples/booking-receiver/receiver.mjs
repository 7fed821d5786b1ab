// @ts-check
// Books every approved draft into a file, once, and tells Parley so. The file stands for your own system: a calendar, a
// CRM, an invoicing tool.
import { appendFile, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { ConflictError, Parley } from '@parley/sdk'
import { verifyWebhook, WebhookVerificationError } from '@parley/sdk/webhooks'

const {
  PARLEY_API_KEY = '',
  PARLEY_BASE_URL = 'http://127.0.0.1:3000',
  PARLEY_WEBHOOK_SECRET = '',
  BOOKINGS = 'bookings.ndjson',
  PORT = '4000',
} = process.env
const parley = new Parley({ apiKey: PARLEY_API_KEY, baseUrl: PARLEY_BASE_URL })

/** Drafts that are in the file already: deliveries may come twice, and this program may be restarted. */
const booked = new Set(
  (await readFile(BOOKINGS, 'utf8').catch(() => ''))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).draftId),
)

/** One booking after another, so that two deliveries of one draft cannot both find it missing. */
let queue = Promise.resolve()
const inTurn = (/** @type {() => Promise<void>} */ work) => (queue = queue.catch(() => undefined).then(work))

/** @param {import('@parley/sdk').EventOf<'draft.approved'>} event */
async function book({ data: { draftId, workRecord, approvedAt } }) {
  if (!booked.has(draftId)) {
    const booking = {
      draftId,
      number: workRecord.number,
      title: workRecord.title,
      kind: workRecord.canonicalKind,
      approvedAt,
    }
    await appendFile(BOOKINGS, `${JSON.stringify(booking)}\n`)
    booked.add(draftId)
    console.log(`booked ${workRecord.number}: ${workRecord.title}`)
  }
  // Asked again after a crash between the two steps; a draft that is synced already stays as it is.
  await parley.drafts
    .synced(draftId, { externalRefs: [{ system: 'bookings', externalId: draftId }] })
    .catch((error) => {
      if (!(error instanceof ConflictError)) throw error
    })
}

/** @param {import('node:http').IncomingMessage} request */
async function receive(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const event = await verifyWebhook(Buffer.concat(chunks), request.headers, PARLEY_WEBHOOK_SECRET)
  switch (event.type) {
    case 'draft.approved':
      return inTurn(() => book(event))
    default:
      console.log(`not for us: ${event.type}`)
  }
}

createServer(async (request, response) => {
  try {
    await receive(request)
    response.writeHead(204).end()
  } catch (error) {
    const isForged = error instanceof WebhookVerificationError
    console.error(isForged ? `refused: ${error.reason}` : error)
    // Anything but 2xx is delivered again, later.
    response.writeHead(isForged ? 400 : 500).end()
  }
}).listen(Number(PORT), () => console.log(`listening on ${PORT}, booking into ${BOOKINGS}`))
