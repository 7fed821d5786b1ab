// Sends spans and the numbers of `/metrics` to an OpenTelemetry collector. The packages are loaded only when a setting
// asks for them; whatever the collector does, nothing waits for it and nothing fails by it.
import { randomUUID } from 'node:crypto'
import type { SpanExporter } from '@opentelemetry/sdk-trace'
import type { Registry } from 'prom-client'
import { registryProducer } from './registry-bridge.js'
import type { TelemetrySettings } from './telemetry-settings.js'
import { noTracing, readTraceparent, type SpanStart, type Tracing, traceparentOf } from './tracing.js'

export interface Telemetry {
  readonly tracing: Tracing
  /** Sends what is left, for a few seconds at most. */
  stop(): Promise<void>
}

export interface TelemetryParts {
  readonly settings: TelemetrySettings
  readonly registry: Pick<Registry, 'getMetricsAsJSON'>
  readonly version: string
  readonly onTrouble: (error: Error) => void
}

type Stop = () => Promise<void>

const STOP_MS = 2_000
/** A collector that is away is told of this often. */
const TROUBLE_MS = 60_000

export async function startTelemetry(parts: TelemetryParts): Promise<Telemetry> {
  const { settings } = parts
  const { resourceFromAttributes } = await import('@opentelemetry/resources')
  const resource = resourceFromAttributes({
    ...settings.resource,
    'service.name': settings.serviceName,
    'service.version': parts.version,
    'service.instance.id': randomUUID(),
  })
  await tellTrouble(parts.onTrouble)
  const traces = settings.traces && (await startTraces(parts, settings.traces, resource))
  const stopMetrics = settings.metrics && (await startMetrics(parts, settings.metrics, resource))
  return {
    tracing: traces?.tracing ?? noTracing,
    async stop() {
      const stopped = Promise.allSettled([traces?.stop(), stopMetrics?.()])
      await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())])
    },
  }
}

type Resource = import('@opentelemetry/resources').Resource

async function startTraces(
  { settings: { protocol, headers, timeoutMs }, version }: TelemetryParts,
  traces: NonNullable<TelemetrySettings['traces']>,
  resource: Resource,
): Promise<{ tracing: Tracing; stop: Stop }> {
  const [api, sdk, { OTLPTraceExporter }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    protocol === 'http/json'
      ? import('@opentelemetry/exporter-trace-otlp-http')
      : import('@opentelemetry/exporter-trace-otlp-proto'),
  ])
  const exporter: SpanExporter = new OTLPTraceExporter({
    url: traces.url,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
  })
  const processor = new sdk.BatchSpanProcessor({ exporter, scheduledDelayMillis: traces.everyMs })
  const sampler = samplerOf(sdk, traces)
  const provider = new sdk.TracerProvider({ resource, sampler, spanProcessors: [processor] })
  const tracer = provider.getTracer('parley', version)
  const kinds = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, internal: api.SpanKind.INTERNAL }
  const start = ({ name, kind, parent, attributes = {} }: SpanStart) => {
    const known = traces.isPropagated || kind !== 'server' ? readTraceparent(parent) : undefined
    const context = known
      ? api.trace.setSpanContext(api.ROOT_CONTEXT, {
          traceId: known.traceId,
          spanId: known.spanId,
          traceFlags: known.isSampled ? api.TraceFlags.SAMPLED : api.TraceFlags.NONE,
          isRemote: true,
        })
      : api.ROOT_CONTEXT
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, context)
    const { traceId, spanId, traceFlags } = span.spanContext()
    return {
      traceparent: traceparentOf({ traceId, spanId, isSampled: (traceFlags & api.TraceFlags.SAMPLED) !== 0 }),
      set: (more: NonNullable<SpanStart['attributes']>) => void span.setAttributes({ ...more }),
      end(errorType?: string) {
        if (errorType !== undefined)
          span.setAttributes({ 'error.type': errorType }).setStatus({ code: api.SpanStatusCode.ERROR })
        span.end()
      },
    }
  }
  return { tracing: { isOn: true, isPropagated: traces.isPropagated, start }, stop: () => provider.shutdown() }
}

function samplerOf(
  sdk: typeof import('@opentelemetry/sdk-trace'),
  { sampler, share }: NonNullable<TelemetrySettings['traces']>,
): import('@opentelemetry/sdk-trace').Sampler {
  if (sampler.startsWith('parentbased_')) return new sdk.ParentBasedSampler({ root: rootSampler() })
  return rootSampler()

  function rootSampler() {
    if (sampler.endsWith('always_on')) return new sdk.AlwaysOnSampler()
    return sampler.endsWith('always_off') ? new sdk.AlwaysOffSampler() : new sdk.TraceIdRatioBasedSampler(share)
  }
}

async function startMetrics(
  { settings: { protocol, headers, timeoutMs }, registry }: TelemetryParts,
  { url, everyMs }: NonNullable<TelemetrySettings['metrics']>,
  resource: Resource,
): Promise<Stop> {
  const [sdk, { OTLPMetricExporter }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    protocol === 'http/json'
      ? import('@opentelemetry/exporter-metrics-otlp-http')
      : import('@opentelemetry/exporter-metrics-otlp-proto'),
  ])
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter({ url, headers: { ...headers }, timeoutMillis: timeoutMs }),
    exportIntervalMillis: everyMs,
    exportTimeoutMillis: Math.min(everyMs, timeoutMs),
    metricProducers: [registryProducer(registry, sdk, resource)],
  })
  const provider = new sdk.MeterProvider({ resource, readers: [reader] })
  return () => provider.shutdown()
}

/** The packages tell of a collector that is away to a logger that all of the process shares. */
async function tellTrouble(onTrouble: (error: Error) => void): Promise<void> {
  const { diag, DiagLogLevel } = await import('@opentelemetry/api')
  let toldAtMs = Number.NEGATIVE_INFINITY
  const tell = (message: string, ...more: unknown[]) => {
    if (performance.now() - toldAtMs < TROUBLE_MS) return
    toldAtMs = performance.now()
    onTrouble(new Error(`OpenTelemetry: ${[message, ...more].map(String).join(' ').slice(0, 500)}`))
  }
  const quiet = () => undefined
  diag.setLogger(
    { error: tell, warn: tell, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}
