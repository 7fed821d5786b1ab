// Takes one step of an inbound request through the API's own endpoints, as a client would, and counts it in the same
// commit. So a step is taken once, wherever the process dies.
import { phoneNumbers, sms } from '@parley/contract'
import type { Caller, Endpoint, Input } from '../../http/endpoint.js'
import type { Step } from '../../providers/step.js'
import { ApiError } from '../../store/api-error.js'
import { Reader } from '../../store/reader.js'
import type { Answer } from '../../store/response.js'
import { type Act, type InvokeParts, invokeEndpoint } from '../generic/invoke-endpoint.js'
import { autoCreatedNumber } from '../messaging/phone-numbers.js'
import { type ClaimedRequest, countStep, type TouchedRecord } from './inbound-queue.js'
import { callActs } from './take-call-step.js'

export type StepParts = InvokeParts & {
  /** An endpoint of the API by its operation id. */
  readonly operation: (operationId: string) => Endpoint
}

export interface Taking {
  readonly parts: StepParts
  readonly caller: Caller
  readonly claimed: ClaimedRequest
}

/** What a step comes to: acts through endpoints, or the reason why there is nothing to do. */
export type Acts = { readonly act: Omit<Act, 'alongside'>; readonly entityType: string } | { readonly nothing: string }

/** Returns why nothing was to be done; undefined when something was. */
export async function takeStep(taking: Taking, step: Step, number: number): Promise<string | undefined> {
  const acts = await actsOf(taking, step)
  if ('nothing' in acts) return acts.nothing
  const { parts, caller, claimed } = taking
  const invoke = (body: Act['body']) =>
    invokeEndpoint(parts, caller, `inbound:${claimed.id}`, {
      ...acts.act,
      ...(body !== undefined && { body }),
      alongside: (work, answer) =>
        work.addStatement(countStep(claimed, number, touchedBy(answer, acts.entityType)), 1, { recurs: true }),
    })
  return step.kind === 'facts' ? takeFacts(invoke, step.facts) : void (await invoke(acts.act.body))
}

type Facts = Extract<Step, { kind: 'facts' }>['facts']

/** A value that does not fit what the organization has defined is left out; the others are kept. */
async function takeFacts(invoke: (body: Act['body']) => Promise<unknown>, facts: Facts): Promise<string | undefined> {
  for (let left = facts; left.length > 0; ) {
    const wrong = await invoke({ facts: left }).then(() => undefined, refusedFact)
    if (wrong === undefined) return undefined
    left = left.filter((_, index) => index !== wrong)
  }
  return 'No fact fits what the organization has defined'
}

/** Which fact of a body was refused; any other trouble is thrown. */
function refusedFact(error: unknown): number {
  const issue = error instanceof ApiError && Array.isArray(error.details) ? error.details[0] : undefined
  const path = typeof issue?.path === 'string' ? issue.path : ''
  const [, index] = /^facts\[(\d+)\]/.exec(path) ?? []
  if (index === undefined) throw error
  return Number(index)
}

/** The record that a step made or changed. */
function touchedBy(answer: Answer<unknown>, entityType: string): TouchedRecord[] {
  const shown: unknown = answer.body === null ? null : JSON.parse(answer.body)
  const id = typeof shown === 'object' && shown !== null && 'id' in shown ? shown.id : undefined
  return typeof id === 'string' ? [{ entityType, id }] : []
}

async function actsOf(taking: Taking, step: Step): Promise<Acts> {
  switch (step.kind) {
    case 'number':
      return numberActs(taking, step.e164)
    case 'sms':
      return textActs(taking, step)
    case 'sms-status':
      return statusActs(taking, step)
    default:
      return callActs(taking, step)
  }
}

/** What nobody timed happened when it was told of, however late it is worked on. */
function textActs({ parts, claimed }: Taking, step: Extract<Step, { kind: 'sms' }>): Acts {
  const body = { sentAt: claimed.receivedAt.toISOString(), ...step.body }
  return { act: { endpoint: parts.operation('receiveSms'), params: {}, body }, entityType: 'sms' }
}

async function numberActs({ parts, caller, claimed }: Taking, e164: string): Promise<Acts> {
  const [known] = await new Reader(parts.database, caller.tenantId).find(phoneNumbers, { e164 }, 1)
  if (known) return { nothing: 'The number is known' }
  // The same endpoint but for its body: that a number was made this way is nothing that a client may say.
  const { body: _, ...create } = parts.operation('createPhoneNumber')
  const { connectionId, provider } = claimed
  const endpoint = { ...create, handle: ({ work }: Input) => autoCreatedNumber(work, { e164, connectionId, provider }) }
  return { act: { endpoint, params: {} }, entityType: 'phone_number' }
}

type StatusStep = Extract<Step, { kind: 'sms-status' }>

/** An SMS is known by the id that we gave the provider with it, or by the one that the provider gave it. */
async function statusActs({ parts, caller }: Taking, { smsId, providerMessageId, report }: StatusStep): Promise<Acts> {
  const read = new Reader(parts.database, caller.tenantId)
  const named = smsId === null || !isUuid(smsId) ? undefined : await read.get(sms, smsId)
  const [found] = named ? [named] : await read.find(sms, { direction: 'outbound', providerMessageId }, 1)
  if (found === undefined) return { nothing: 'No text that we sent has this id' }
  const act = { endpoint: parts.operation('reportSmsStatus'), params: { id: found.id }, body: report }
  return { act, entityType: 'sms' }
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
