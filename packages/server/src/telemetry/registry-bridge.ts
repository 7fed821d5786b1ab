// The numbers of `/metrics` for OpenTelemetry: the same names, labels and values, so that a dashboard works on both.
import type { MetricData, MetricProducer } from '@opentelemetry/sdk-metrics'
import type { Registry } from 'prom-client'

/** What is needed of the package, which is loaded when it is wanted. */
export type MetricsPackage = Pick<
  typeof import('@opentelemetry/sdk-metrics'),
  'AggregationTemporality' | 'DataPointType'
>

interface Sample {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number>>
  readonly metricName?: string
}

type Time = [number, number]

const scope = { name: 'parley' }

export function registryProducer(
  registry: Pick<Registry, 'getMetricsAsJSON'>,
  sdk: MetricsPackage,
  resource: import('@opentelemetry/resources').Resource,
): MetricProducer {
  const startTime = timeOf(Date.now() - process.uptime() * 1_000)
  return {
    async collect() {
      const families = await registry.getMetricsAsJSON()
      const times = { startTime, endTime: timeOf(Date.now()) }
      const metrics = families.flatMap(({ name, help, type, values }): MetricData[] => {
        const descriptor = { name, description: help, unit: unitOf(name), valueType: 1 }
        const base = { descriptor, aggregationTemporality: sdk.AggregationTemporality.CUMULATIVE }
        const points = (values as Sample[]).map(({ labels, value }) => ({ ...times, attributes: { ...labels }, value }))
        // prom-client names its types by word in JSON, whatever its type declarations say.
        const word = String(type)
        if (word === 'counter')
          return [{ ...base, dataPointType: sdk.DataPointType.SUM, isMonotonic: true, dataPoints: points }]
        if (word === 'gauge') return [{ ...base, dataPointType: sdk.DataPointType.GAUGE, dataPoints: points }]
        if (word !== 'histogram') return []
        const dataPoints = histograms(values as Sample[]).map(({ labels, value }) => ({
          ...times,
          attributes: labels,
          value,
        }))
        return [{ ...base, dataPointType: sdk.DataPointType.HISTOGRAM, dataPoints }]
      })
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] }
    },
  }
}

interface Counted {
  readonly labels: Record<string, string | number>
  readonly value: { buckets: { boundaries: number[]; counts: number[] }; sum: number; count: number }
}

/** Prometheus counts everything up to a bound, OpenTelemetry what lies between two. */
function histograms(samples: readonly Sample[]): Counted[] {
  const byLabels = new Map<string, Counted>()
  for (const { metricName = '', labels, value } of samples) {
    const { le, ...own } = labels
    const key = JSON.stringify(own)
    const one = byLabels.get(key) ?? {
      labels: own,
      value: { buckets: { boundaries: [], counts: [] }, sum: 0, count: 0 },
    }
    byLabels.set(key, one)
    if (metricName.endsWith('_sum')) one.value.sum = value
    else if (metricName.endsWith('_count')) one.value.count = value
    else {
      const { boundaries, counts } = one.value.buckets
      if (le !== '+Inf') boundaries.push(Number(le))
      counts.push(value - counts.reduce((sum, count) => sum + count, 0))
    }
  }
  return [...byLabels.values()]
}

const unitOf = (name: string): string =>
  /_seconds(_total)?$/.test(name) ? 's' : /_bytes(_total)?$/.test(name) ? 'By' : ''

const timeOf = (ms: number): Time => [Math.floor(ms / 1_000), Math.floor((ms % 1_000) * 1e6)]
