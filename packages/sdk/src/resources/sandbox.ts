// The simulator: makes calls and texts happen for real, on the sandbox side only.
import type { Other } from '../records.js'
import { ask, type RequestOptions, type Send } from '../transport.js'

export type Scenario = 'inbound_call' | 'missed_call' | 'voicemail' | 'inbound_sms' | 'full_intake' | Other

export interface SimulationRequest {
  scenario: Scenario
  /** Which conversation is played. */
  script?: string | undefined
  /** How many times faster than life. */
  speed?: number | undefined
}

export interface Simulation {
  scenario: Scenario
  callId: string | null
  smsId: string | null
  voicemailId: string | null
}

export const sandbox = (send: Send) => ({
  /** Answers at once; what it makes happen follows, as events. */
  simulate: (body: SimulationRequest, options?: RequestOptions): Promise<Simulation> => ask(send, { method: 'POST', path: '/sandbox/simulate', body, options }),
})
