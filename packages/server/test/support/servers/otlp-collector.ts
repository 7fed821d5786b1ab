// A collector for tests: takes OTLP over HTTP, and keeps what it was sent as JSON, and as bytes otherwise.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { closeAfterTest } from '../after-each.js'

export interface CollectedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly isError: boolean
  readonly resource: Readonly<Record<string, unknown>>
}

export interface Collector {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** As they came, of all nodes. */
  readonly metrics: any[]
  /** Everything as it came, with its path and headers. */
  readonly requests: { path: string; headers: NodeJS.Dict<string | string[]>; body: Buffer }[]
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const metrics: any[] = []
  const requests: Collector['requests'] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks)
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      if (request.headers['content-type'] === 'application/json') take(JSON.parse(body.toString()))
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const take = ({ resourceSpans = [], resourceMetrics = [] }: any) => {
    for (const { resource, scopeSpans } of resourceSpans)
      for (const span of scopeSpans.flatMap((scope: any) => scope.spans)) spans.push(toSpan(span, resource))
    for (const { scopeMetrics } of resourceMetrics) metrics.push(...scopeMetrics.flatMap((scope: any) => scope.metrics))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closeAfterTest(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, spans, metrics, requests }
}

const toSpan = (span: any, resource: any): CollectedSpan => ({
  name: span.name,
  kind: span.kind,
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId,
  attributes: valuesOf(span.attributes),
  isError: span.status?.code === 2,
  resource: valuesOf(resource.attributes),
})

export const valuesOf = (attributes: any[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
