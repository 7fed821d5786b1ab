// `POST /sandbox/simulate`: plays a conversation through the same doors as real traffic, so that a newcomer sees
// people, transcripts, facts, drafts and events within seconds. The first step is taken with the request, the rest in
// the background.
import {
  includesScope,
  type Scenario,
  type ScriptName,
  scriptNames,
  simulation,
  simulationBody,
  simulationSpeed,
  webhookSubscriptions,
} from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { beep } from '../../recordings/beep.js'
import { badRequest, forbidden } from '../../store/api-error.js'
import { newId } from '../../store/id.js'
import { json } from '../../store/response.js'
import { beginCall } from '../calls/calls.js'
import { putRecording, takeAudio } from '../calls/voicemail-recordings.js'
import { addVoicemail } from '../calls/voicemails.js'
import type { Act } from '../generic/invoke-endpoint.js'
import { defaultNumber, simulatedNumber } from '../messaging/phone-numbers.js'
import { addInboundSms } from '../messaging/receive-sms.js'
import { disable } from '../webhooks/auto-disable.js'
import { SIMULATED, type Simulation } from './player.js'
import { type Step, stepsOf } from './scenarios.js'
import { type Script, scripts } from './scripts.js'

interface Begun {
  readonly callId: string | null
  readonly smsId: string | null
  readonly voicemailId: string | null
}

const nothing: Begun = { callId: null, smsId: null, voicemailId: null }

/** The first step, as part of the request's own work: the phone rings, an SMS comes in, or an endpoint is gone. */
async function begin(input: Input, scenario: Scenario, script: Script): Promise<Begun> {
  if (scenario === 'webhook_gone') return nothing
  const { work } = input
  const { from, callerName } = script
  const number = (await defaultNumber(work)) ?? (await simulatedNumber(work))
  const to = number?.e164 ?? OUR_NUMBER
  if (scenario === 'inbound_sms') {
    const { id } = await addInboundSms(work, {
      from,
      to,
      body: script.sms,
      providerMessageId: `simulated-${newId(input.now)}`,
    })
    return { ...nothing, smsId: id }
  }
  const provider = { provider: 'sandbox', providerCallId: `simulated-${newId(input.now)}` }
  const call = await beginCall(work, { direction: 'inbound', from, to, callerName, ...provider })
  if (scenario !== 'voicemail') return { ...nothing, callId: call.id }
  const left = {
    callerNumber: from,
    to,
    callSessionId: call.id,
    transcript: script.voicemail,
    durationSeconds: VOICEMAIL_SECONDS,
  }
  const { voicemail } = await addVoicemail({ ...input, body: left })
  return { ...nothing, callId: call.id, voicemailId: voicemail.id }
}

/** What an answer of 410 does to a subscription. Those are the business of ADMIN keys. */
async function beGone({ work, caller }: Input, webhookId: string | undefined): Promise<void> {
  if (!includesScope(caller.scope, 'ADMIN'))
    throw forbidden('scope', 'This needs a key with scope ADMIN', { requiredScope: 'ADMIN' })
  const subscription = webhookId && (await work.get(webhookSubscriptions, webhookId))
  if (!subscription || subscription.status !== 'active')
    throw badRequest('webhookId', 'must be the id of an active webhook subscription', 'reference')
  disable(work, subscription, 'gone')
}

/** Where a simulated call goes to when the organization has no number of its own. */
const OUR_NUMBER = '+15005550006'
const VOICEMAIL_SECONDS = 2

function stepsAfter(scenario: Scenario, name: ScriptName, { callId, voicemailId }: Begun): Step[] {
  const steps = callId ? stepsOf(scenario, name, callId) : []
  if (voicemailId === null) return steps
  const act: Act = {
    endpoint: putRecording,
    params: { id: voicemailId },
    receive: (input) =>
      takeAudio(input, input.caller.tenantId, voicemailId, {
        bytes: [beep(VOICEMAIL_SECONDS)],
        mediaType: 'audio/wav',
      }),
  }
  return [{ atSeconds: VOICEMAIL_SECONDS, act }, ...steps]
}

const simulate: Endpoint = endpoint({
  method: 'POST',
  path: '/sandbox/simulate',
  scope: 'WRITE',
  operationId: 'simulate',
  summary: 'Play a conversation in the sandbox',
  description:
    `Sandbox keys only. Scripts: ${scriptNames.join(', ')}. ` +
    `\`speed\` is how many times faster than life it goes, ${simulationSpeed} unless said otherwise.`,
  tag: 'Sandbox',
  body: simulationBody,
  returns: { status: 202, schema: simulation },
  async handle(input) {
    const { work, caller, requestId } = input
    if (caller.environment !== 'sandbox')
      throw forbidden('sandbox_only', 'Simulations run in the sandbox; use a key that begins with ak_test_')
    const { scenario, script = 'leaking_sink', speed = simulationSpeed } = input.body
    if (scenario === 'webhook_gone') await beGone(input, input.body.webhookId)
    const begun = await begin(input, scenario, scripts[script])
    const planned: Simulation = { caller, requestId, speed, steps: stepsAfter(scenario, script, begun) }
    work.announce(SIMULATED, planned)
    return json(202, { scenario, ...begun })
  },
})

export const simulateEndpoints: Endpoint[] = [simulate]
