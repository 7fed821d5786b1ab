// What a node tells an OpenTelemetry collector: the standard variables, of which an endpoint turns it on.
import type { TelemetrySettings } from '../telemetry/telemetry-settings.js'
import { httpUrl, integer, oneOf, pairs, type Setting, secretPairs, share, text } from './setting-kinds.js'

const signals = oneOf('otlp', 'none')
const hourMs = 3_600_000

export const telemetrySettings = {
  otelDisabled: {
    name: 'OTEL_SDK_DISABLED',
    kind: oneOf('true', 'false'),
    default: 'false',
    meaning: 'With `true` neither traces nor metrics are sent, whatever else is set.',
  },
  otelEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    kind: httpUrl,
    meaning: 'OTLP/HTTP collector, such as `http://collector:4318`. Set: traces and metrics are sent to it.',
  },
  otelTracesEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    kind: httpUrl,
    meaning: 'Whole address for traces. Unset: `/v1/traces` of the collector.',
  },
  otelMetricsEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
    kind: httpUrl,
    meaning: 'Whole address for metrics. Unset: `/v1/metrics` of the collector.',
  },
  otelProtocol: {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    kind: oneOf('http/protobuf', 'http/json'),
    default: 'http/protobuf',
    meaning: 'How it is sent. gRPC is not spoken; collectors take HTTP on port 4318.',
  },
  otelHeaders: {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    kind: secretPairs,
    default: '',
    meaning: 'Headers for the collector, as `name=value` separated by commas, such as its key.',
  },
  otelTimeoutMs: {
    name: 'OTEL_EXPORTER_OTLP_TIMEOUT',
    kind: integer(1, 600_000),
    default: '10000',
    meaning: 'Milliseconds that the collector may take.',
  },
  otelTraces: {
    name: 'OTEL_TRACES_EXPORTER',
    kind: signals,
    default: 'otlp',
    meaning: 'With `none` no traces are sent.',
  },
  otelMetrics: {
    name: 'OTEL_METRICS_EXPORTER',
    kind: signals,
    default: 'otlp',
    meaning: 'With `none` no metrics are sent; `/metrics` is there in any case.',
  },
  otelServiceName: {
    name: 'OTEL_SERVICE_NAME',
    kind: text,
    default: 'parley',
    meaning: 'Name of this service in traces and metrics.',
  },
  otelResource: {
    name: 'OTEL_RESOURCE_ATTRIBUTES',
    kind: pairs,
    default: '',
    meaning: 'Further attributes of this node, as `name=value` separated by commas.',
  },
  otelSampler: {
    name: 'OTEL_TRACES_SAMPLER',
    kind: oneOf(
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ),
    default: 'parentbased_always_on',
    meaning: 'Which traces are kept; `parentbased_…` follows the caller where it brings a trace.',
  },
  otelSamplerShare: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    kind: share,
    default: '1',
    meaning: 'Share of traces that `traceidratio` keeps, from 0 to 1.',
  },
  otelPropagators: {
    name: 'OTEL_PROPAGATORS',
    kind: oneOf('tracecontext,baggage', 'tracecontext', 'none'),
    default: 'tracecontext,baggage',
    meaning:
      'With `none` no `traceparent` is taken from callers, and webhooks do not continue traces. Baggage is never ' +
      'passed on.',
  },
  otelSpanDelayMs: {
    name: 'OTEL_BSP_SCHEDULE_DELAY',
    kind: integer(10, hourMs),
    default: '5000',
    meaning: 'Milliseconds between two deliveries of spans.',
  },
  otelMetricIntervalMs: {
    name: 'OTEL_METRIC_EXPORT_INTERVAL',
    kind: integer(10, hourMs),
    default: '60000',
    meaning: 'Milliseconds between two deliveries of metrics.',
  },
} as const satisfies Record<string, Setting>

export interface TelemetryValues {
  readonly otelDisabled: 'true' | 'false'
  readonly otelEndpoint: string | undefined
  readonly otelTracesEndpoint: string | undefined
  readonly otelMetricsEndpoint: string | undefined
  readonly otelProtocol: TelemetrySettings['protocol']
  readonly otelHeaders: Readonly<Record<string, string>>
  readonly otelTimeoutMs: number
  readonly otelTraces: 'otlp' | 'none'
  readonly otelMetrics: 'otlp' | 'none'
  readonly otelServiceName: string
  readonly otelResource: Readonly<Record<string, string>>
  readonly otelSampler: NonNullable<TelemetrySettings['traces']>['sampler']
  readonly otelSamplerShare: number
  readonly otelPropagators: string
  readonly otelSpanDelayMs: number
  readonly otelMetricIntervalMs: number
}

/** Undefined when nothing is to be sent. */
export function telemetryOf(values: TelemetryValues): TelemetrySettings | undefined {
  const { otelEndpoint: base, otelTracesEndpoint, otelMetricsEndpoint } = values
  const tracesUrl = otelTracesEndpoint ?? (base && `${base}/v1/traces`)
  const metricsUrl = otelMetricsEndpoint ?? (base && `${base}/v1/metrics`)
  const traces =
    tracesUrl !== undefined && values.otelTraces === 'otlp'
      ? {
          url: tracesUrl,
          sampler: values.otelSampler,
          share: values.otelSamplerShare,
          isPropagated: values.otelPropagators !== 'none',
          everyMs: values.otelSpanDelayMs,
        }
      : undefined
  const metrics =
    metricsUrl !== undefined && values.otelMetrics === 'otlp'
      ? { url: metricsUrl, everyMs: values.otelMetricIntervalMs }
      : undefined
  if (values.otelDisabled === 'true' || (traces === undefined && metrics === undefined)) return undefined
  return {
    serviceName: values.otelServiceName,
    resource: values.otelResource,
    protocol: values.otelProtocol,
    headers: values.otelHeaders,
    timeoutMs: values.otelTimeoutMs,
    traces,
    metrics,
  }
}
