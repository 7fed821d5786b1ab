// The tools that write without anybody deciding, for keys whose `agentWrites` is `direct`. None deletes.
import { bodyWith, freeForm, limits, oneOf, optional, recipient, text, uuid } from '@parley/contract'
import { type Reach, requireEndpoint } from './reach.js'
import { type Tool, tool } from './tool.js'
import { aboutFence, aboutRetry, fence, retry } from './tool-arguments.js'

export const writingTools = (reach: Reach): Tool[] => [create(reach), update(reach), decide(reach), sendSms(reach)]

const aboutFields = { ...aboutRetry, fields: 'What to write; see describe' }

const create = (reach: Reach) =>
  tool({
    name: 'create',
    description: 'Make a record at once.',
    scope: 'WRITE',
    isDirect: true,
    input: bodyWith({ entity: oneOf(reach.created), fields: freeForm(), ...retry }, { about: aboutFields }),
    plan: ({ entity, fields: body = {}, idempotencyKey }) => ({
      endpoint: requireEndpoint(reach, 'POST', `/${entity}`, 'entity'),
      body,
      idempotencyKey,
    }),
  })

const update = (reach: Reach) =>
  tool({
    name: 'update',
    description: 'Change fields of a record at once.',
    scope: 'WRITE',
    isDirect: true,
    input: bodyWith(
      { entity: oneOf(reach.updated), id: uuid(), fields: freeForm(), ...fence, ...retry },
      { about: { ...aboutFields, ...aboutFence } },
    ),
    plan: ({ entity, id, fields: body = {}, ifVersion, idempotencyKey }) => ({
      endpoint: requireEndpoint(reach, 'PATCH', `/${entity}/{id}`, 'entity'),
      id,
      ifVersion,
      body,
      idempotencyKey,
    }),
  })

const decide = (reach: Reach) =>
  tool({
    name: 'decide',
    description: 'Decide on a draft (submit, approve, reject, reopen) or a fact (confirm, reject, promote).',
    scope: 'WRITE',
    isDirect: true,
    input: bodyWith(
      {
        entity: oneOf(['drafts', 'facts']),
        id: uuid(),
        decision: oneOf(reach.decisions),
        fields: optional(freeForm()),
        ...retry,
      },
      { about: { ...aboutRetry, fields: 'Such as {"reason":"…"} of a rejected draft' } },
    ),
    plan: ({ entity, id, decision, fields: body, idempotencyKey }) => ({
      endpoint: requireEndpoint(reach, 'POST', `/${entity}/{id}/${decision}`, 'decision'),
      id,
      body,
      idempotencyKey,
    }),
  })

const sendSms = (reach: Reach) =>
  tool({
    name: 'send_sms',
    description: 'Send an SMS, at once and for good.',
    scope: 'WRITE',
    isDirect: true,
    input: bodyWith(
      {
        to: optional(recipient()),
        personId: optional(uuid()),
        body: text(limits.smsLength),
        fromPhoneNumberId: optional(uuid()),
        ...retry,
      },
      { about: { ...aboutRetry, personId: 'In place of to' } },
    ),
    plan: ({ idempotencyKey, ...body }) => ({
      endpoint: requireEndpoint(reach, 'POST', '/sms', 'to'),
      body,
      idempotencyKey,
    }),
  })
