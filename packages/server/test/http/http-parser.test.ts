// What never becomes a request, or only just does: refused by the HTTP parser or before any endpoint, and answered in
// the envelope all the same.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonOf, rawRequest, type SocketAnswer, sayOnSocket } from '../support/raw-http.js'
import { type Service, startService } from '../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService({ PARLEY_STALL_TIMEOUT: '600ms' })
})
afterAll(() => service.stop())

const authorization = () => `authorization: Bearer ${service.api.key}\r\n`
const say = async (text: string): Promise<SocketAnswer> => (await sayOnSocket(service.url, text)).at(-1) as SocketAnswer

function expectEnvelope({ status, head, body }: SocketAnswer, expected: number, code: string): void {
  expect([status, body?.error.code]).toEqual([expected, code])
  expect(head.toLowerCase()).toContain(`x-request-id: ${body.meta.requestId}`)
  expect(head.toLowerCase()).toContain('content-type: application/json; charset=utf-8')
  expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
}

test.each([
  ['no Host', 'GET /api/v1/tasks HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['no Host outside the API', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['two Hosts', 'GET /api/v1/tasks HTTP/1.1\r\nhost: a\r\nhost: b\r\nconnection: close\r\n\r\n'],
  ['two Hosts that are the same', 'GET /healthz HTTP/1.1\r\nhost: a\r\nHost: a\r\nconnection: close\r\n\r\n'],
  ['no request line', 'GARBAGE\r\n\r\n'],
  ['a request line without a version', 'GET /api/v1/tasks\r\nhost: a\r\n\r\n'],
  ['the version of another protocol', 'GET /api/v1/tasks HTTP/2.0\r\nhost: a\r\n\r\n'],
  ['a version of another protocol', 'GET / HTTP/9.9\r\nhost: a\r\n\r\n'],
  ['an unknown method and no version', 'BREW /pot\r\nhost: a\r\n\r\n'],
  ['headers that are too long', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`],
  ['headers that are much too long', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(300_000)}\r\n\r\n`],
  ['a length below nothing', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: -5\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello'],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['a path that cannot be decoded', 'GET /api/v1/tasks/%zz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
])('%s is 400', async (_, text) => {
  expectEnvelope(await say(text), 400, 'bad_request')
})

test('HTTP/1.0 needs no Host', async () => {
  const answer = await say('GET /healthz HTTP/1.0\r\n\r\n')
  expect([answer.status, answer.body]).toEqual([200, { status: 'ok' }])
})

test('an Expect other than 100-continue is 417, with the caller’s own request id', async () => {
  const answer = await say(
    `GET /api/v1/tasks HTTP/1.1\r\nhost: a\r\nexpect: tea\r\nx-request-id: mine\r\nconnection: close\r\n${authorization()}\r\n`,
  )
  expectEnvelope(answer, 417, 'expectation_failed')
  expect(answer.body.meta.requestId).toBe('mine')
  const body = '{"title":"x"}'
  const head = `POST /api/v1/tasks HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\nconnection: close\r\ncontent-type: application/json\r\n`
  const continued = await sayOnSocket(
    service.url,
    `${head}content-length: ${body.length}\r\n${authorization()}\r\n${body}`,
  )
  expect(continued.map(({ status }) => status)).toEqual([100, 201])
})

test.each(['PROPFIND', 'TRACE', 'LINK', 'BREW', 'get', 'G3T', 'CONNECT'])(
  'the method %s is 405 and says which ones there are',
  async (method) => {
    for (const target of ['/api/v1/tasks', '/api/v1/nonsense', '/healthz']) {
      const path = method === 'CONNECT' ? 'example.com:443' : target
      const answer = await say(`${method} ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${authorization()}\r\n`)
      expectEnvelope(answer, 405, 'method_not_allowed')
      expect(answer.head.toLowerCase()).toContain('allow: get, head, post, patch, put, delete, options')
      expect(answer.body.error.details.allowed).toContain('PATCH')
    }
  },
)

test('what follows good requests on the same connection is refused after they are answered', async () => {
  const good = `GET /api/v1/tasks?limit=1 HTTP/1.1\r\nhost: a\r\n${authorization()}\r\n`
  for (const [bad, status] of [
    ['BREW /pot HTTP/1.1\r\nhost: a\r\n\r\n', 405],
    ['GARBAGE\r\n\r\n', 400],
  ] as const) {
    const answers = await sayOnSocket(service.url, `${good}${good}${bad}`)
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, status])
  }
})

test('a body that stops being one is 400', async () => {
  const head = `POST /api/v1/tasks HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${authorization()}transfer-encoding: chunked\r\n\r\n`
  expectEnvelope(await say(`${head}5\r\n{"tit\r\nnonsense\r\n`), 400, 'bad_request')
})

test('a range past the end is 416 in the envelope', async () => {
  const { body: voicemail } = await service.api.post('/voicemails', { callerNumber: '+15550100300', transcript: 'x' })
  const put = await rawRequest(`${service.url}/api/v1/voicemails/${voicemail.id}/recording`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.api.key}`, 'content-type': 'audio/wav' },
    body: Buffer.alloc(100),
  })
  expect(put.status).toBeLessThan(300)
  const { headers } = await rawRequest(`${service.url}/api/v1/voicemails/${voicemail.id}/recording`, {
    headers: { authorization: `Bearer ${service.api.key}` },
  })
  const answer = await rawRequest(String(headers.location), { headers: { range: 'bytes=100-' } })
  expect([answer.status, answer.headers['content-range'], jsonOf(answer).error.code]).toEqual([
    416,
    'bytes */100',
    'range_not_satisfiable',
  ])
  expect(jsonOf(answer).meta.requestId).toBe(answer.headers['x-request-id'])
})

test('headers that do not come to an end are 408 after the time without progress', async () => {
  expectEnvelope(await say('GET /api/v1/tasks HTTP/1.1\r\nhost: a\r\nx: '), 408, 'request_timeout')
})
