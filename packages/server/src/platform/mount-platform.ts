// Mounts the platform API at /platform/v1 of an application: that of the API, or one on a port of its own.
import type { FastifyInstance } from 'fastify'
import type { Endpoint } from '../http/endpoint.js'
import { type Mounting, mount } from '../http/mount.js'
import { ApiError } from '../store/api-error.js'
import type { PlatformGate } from './platform-gate.js'

export const PLATFORM_PATH = '/platform/v1'

export interface PlatformMounting extends Mounting {
  readonly gate: PlatformGate
}

export function mountPlatform(app: FastifyInstance, endpoints: readonly Endpoint[], mounting: PlatformMounting): void {
  app.register(
    async (scope) => {
      scope.addHook('onRequest', () => mounting.gate.requireKeys())
      mount(scope, endpoints, mounting)
    },
    { prefix: PLATFORM_PATH },
  )
}

/** On a port of its own there is nothing else. */
export function refuseOtherPaths(app: FastifyInstance): void {
  app.setNotFoundHandler(async () => {
    throw new ApiError('not_found', `The platform API is at ${PLATFORM_PATH}`)
  })
}
