// What the sandbox can play: the scenarios, the scripts that they follow, and what a simulation begins with.
import { bodyWith, type Sent } from './body.js'
import { described, named, nullable, number, object, oneOf, optional, uuid } from './field.js'

export const scenarios = [
  'inbound_call',
  'missed_call',
  'voicemail',
  'inbound_sms',
  'full_intake',
  'webhook_gone',
] as const
export type Scenario = (typeof scenarios)[number]

export const scriptNames = ['leaking_sink', 'legal_matter', 'tow', 'clinic_appointment'] as const
export type ScriptName = (typeof scriptNames)[number]

/** How many times faster than life a simulation goes unless said otherwise. */
export const simulationSpeed = 20

export const simulationBody = bodyWith({
  scenario: described(oneOf(scenarios), 'What happens.'),
  script: optional(described(oneOf(scriptNames), 'Which conversation is played.')),
  speed: optional(
    described(
      number({ minimum: 0.1, maximum: 1_000 }),
      `How many times faster than life; ${simulationSpeed} unless said otherwise.`,
    ),
  ),
  webhookId: optional(
    described(uuid('webhook_subscription'), 'For `webhook_gone`: the subscription whose endpoint answers 410.'),
  ),
})
export type SimulationRequest = Sent<typeof simulationBody>

/** What a simulation begins with; the rest follows, as events. */
export const simulation = named(
  'Simulation',
  object(
    {
      scenario: oneOf(scenarios),
      callId: nullable(uuid('call')),
      smsId: nullable(uuid('sms')),
      voicemailId: nullable(uuid('voicemail')),
    },
    {
      scenario: 'What happens.',
      callId: 'The call that was begun.',
      smsId: 'The text that came in.',
      voicemailId: 'The voicemail that was left.',
    },
  ),
)
