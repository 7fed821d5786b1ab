// The simulator: makes calls and SMS happen for real, in the sandbox only.
import type { ApiPromise } from '../api-promise.js'
import type { Simulation, SimulationRequest } from '../generated/shapes.js'
import { ask, type RequestOptions, type Send } from '../transport.js'

export interface Sandbox {
  /** Plays a conversation. It answers at once; what it makes happen follows, as events. */
  simulate(body: SimulationRequest, options?: RequestOptions): ApiPromise<Simulation>
}

export const sandbox = (send: Send): Sandbox => ({
  simulate: (body, options) => ask(send, { method: 'POST', path: '/sandbox/simulate', body, options }),
})
