// Wires the platform API: on the application of the API, or on one of its own that listens on another port.

import type { Config } from '../config/config.js'
import { readNetworks } from '../delivery/transport/address-policy.js'
import type { Mounting } from '../http/mount.js'
import { platformEndpointsWith } from '../platform/index.js'
import { mountPlatform, refuseOtherPaths } from '../platform/mount-platform.js'
import { createPlatformGate } from '../platform/platform-gate.js'
import { homesElsewhere } from '../shards/homes.js'
import type { Shards } from '../shards/shards.js'
import type { Front } from './front.js'

export interface PlatformServing {
  readonly config: Config
  readonly front: Front
  readonly mounting: Mounting
  readonly shards: Shards
  readonly onTrouble: (error: Error) => void
}

export function servePlatform({ config, front, mounting, shards, onTrouble }: PlatformServing): void {
  const { database, gate } = mounting
  const isSeveral = shards.all.length > 1
  const platformGate = createPlatformGate({
    database,
    buckets: front.buckets,
    limit: config.rateLimitPlatform,
    gate,
    onTrouble,
    homeOf: mounting.places?.homeOf,
  })
  const endpoints = platformEndpointsWith({
    webhookNetworks: readNetworks(config.webhookAllowNetworks),
    ...(isSeveral && { elsewhere: (ids: readonly string[]) => homesElsewhere(shards, ids) }),
  })
  mountPlatform(front.platformApp, endpoints, { ...mounting, gate: platformGate })
  if (front.platformApp !== front.app) refuseOtherPaths(front.platformApp)
}
