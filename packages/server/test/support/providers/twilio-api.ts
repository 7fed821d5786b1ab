// A server that behaves like Twilio's REST API, as far as we ask it: it wants credentials, takes messages or refuses
// them as Twilio does, and calls back signed.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { accountSid, authToken, newSid, sendForm } from './twilio.js'

export interface TakenMessage {
  readonly sid: string
  readonly from: string
  readonly to: string
  readonly body: string
  readonly statusCallback: string
}

/** How a recipient behaves; any other number is simply accepted. */
export const behaviours = {
  invalid: '+15005550001',
  optedOut: '+15005550004',
  busyOnce: '+15005550005',
  brokenOnce: '+15005550009',
  answerLost: '+15005550010',
  slowOnce: '+15005550011',
} as const

export interface TwilioApi {
  readonly url: string
  readonly messages: readonly TakenMessage[]
  /** Method and path of everything that was asked. */
  readonly asked: readonly string[]
  /** Says what became of a message, as Twilio does. */
  report(message: TakenMessage, status: string, more?: Record<string, string>): Promise<Response>
  stop(): Promise<void>
}

const keyPair = { sid: `SK${'0b'.repeat(16)}`, secret: 'the secret of the key' }
export const apiKey = { apiKeySid: keyPair.sid, apiKeySecret: keyPair.secret }

const credentials = new Set(
  [`${accountSid}:${authToken}`, `${keyPair.sid}:${keyPair.secret}`].map(
    (pair) => `Basic ${Buffer.from(pair).toString('base64')}`,
  ),
)

export async function startTwilioApi(): Promise<TwilioApi> {
  const messages: TakenMessage[] = []
  const asked: string[] = []
  const tried = new Map<string, number>()
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    void answer(request, response).catch(() => response.destroy())
  })

  const send = (response: ServerResponse, status: number, body: unknown) =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!credentials.has(request.headers.authorization ?? ''))
      return send(response, 401, { code: 20003, message: 'Authenticate', status: 401 })
    const url = new URL(request.url ?? '', 'http://twilio')
    if (url.pathname === `/2010-04-01/Accounts/${accountSid}.json`)
      return send(response, 200, { sid: accountSid, status: 'active' })
    if (url.pathname !== `/2010-04-01/Accounts/${accountSid}/Messages.json`)
      return send(response, 404, { code: 20404, message: 'Not found', status: 404 })
    return request.method === 'GET' ? list(url, response) : create(await bodyOf(request), response)
  }

  function list({ searchParams }: URL, response: ServerResponse): void {
    const found = messages.filter(({ to, from }) => to === searchParams.get('To') && from === searchParams.get('From'))
    const shown = found.map(({ sid, body }) => ({ sid, body, date_created: new Date().toUTCString() }))
    send(response, 200, { messages: shown })
  }

  async function create(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const to = form.get('To') ?? ''
    const count = (tried.get(to) ?? 0) + 1
    tried.set(to, count)
    if (to === behaviours.invalid) return send(response, 400, { code: 21211, message: "Invalid 'To'", status: 400 })
    if (to === behaviours.optedOut) return send(response, 400, { code: 21610, message: 'Unsubscribed', status: 400 })
    if (to === behaviours.busyOnce && count === 1)
      return send(response, 429, { code: 20429, message: 'Too Many Requests', status: 429 })
    if (to === behaviours.brokenOnce && count === 1) return void response.writeHead(503).end('<html>')
    // Whoever asks gives up before.
    if (to === behaviours.slowOnce && count === 1) return
    const message = {
      sid: newSid('SM'),
      from: form.get('From') ?? '',
      to,
      body: form.get('Body') ?? '',
      statusCallback: form.get('StatusCallback') ?? '',
    }
    messages.push(message)
    if (to === behaviours.answerLost && count === 1) return void response.destroy()
    send(response, 201, { sid: message.sid, status: 'queued' })
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    messages,
    asked,
    report: (message, status, more = {}) =>
      sendForm(message.statusCallback, {
        MessageSid: message.sid,
        MessageStatus: status,
        From: message.from,
        To: message.to,
        ...more,
      }),
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return new URLSearchParams(Buffer.concat(chunks).toString())
}
