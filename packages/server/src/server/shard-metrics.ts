// The numbers of each server by themselves, under the label `shard`; where there is one server, there is no label.
import { AggregatorRegistry, Registry } from 'prom-client'
import type { Shard, Shards } from '../shards/shards.js'

/** What can be shown as metrics. */
export type ShownMetrics = Pick<Registry, 'contentType' | 'metrics' | 'getMetricsAsJSON'>

export interface ShardMetrics {
  of(shard: Shard): Registry
  readonly shown: ShownMetrics
}

export function shardMetrics(node: Registry, { all }: Shards): ShardMetrics {
  if (all.length === 1) return { of: () => node, shown: node }
  const registries = new Map(all.map(({ name }) => [name, labelled(name)]))
  const together = async () => {
    const gathered = await Promise.all([node, ...registries.values()].map((one) => one.getMetricsAsJSON()))
    return AggregatorRegistry.aggregate(gathered)
  }
  return {
    of: ({ name }) => registries.get(name) ?? node,
    shown: {
      contentType: node.contentType,
      metrics: async () => (await together()).metrics(),
      getMetricsAsJSON: async () => (await together()).getMetricsAsJSON(),
    },
  }
}

function labelled(shard: string): Registry {
  const registry = new Registry()
  registry.setDefaultLabels({ shard })
  return registry
}
