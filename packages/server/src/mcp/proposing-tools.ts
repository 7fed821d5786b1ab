// The tools that propose: what they write waits until people decide on it.
import {
  anyValue,
  bodyWith,
  factSubjects,
  limits,
  line,
  list,
  longText,
  mergedForm,
  nullable,
  oneOf,
  optional,
  text,
  uuid,
} from '@parley/contract'
import { type Reach, requireEndpoint } from './reach.js'
import { type Tool, tool } from './tool.js'
import { aboutFence, aboutRetry, fence, retry } from './tool-arguments.js'

export const proposingTools = (reach: Reach): Tool[] => [proposeFact(reach), proposeDraft(reach), changeDraft(reach)]

/** Without a confidence no threshold confirms it: that is for people. */
const proposeFact = (reach: Reach) =>
  tool({
    name: 'propose_fact',
    description: 'Propose something learned about a person, company, customer or work record. People confirm it.',
    scope: 'WRITE',
    input: bodyWith(
      {
        subjectType: oneOf(factSubjects),
        subjectId: uuid(),
        key: text(),
        value: anyValue(),
        rationale: optional(nullable(longText())),
        sourceCallSessionId: optional(nullable(uuid())),
        quote: optional(text(limits.segmentLength)),
        ...retry,
      },
      {
        about: {
          ...aboutRetry,
          key: 'Such as preferred_time; find fact-definitions for those in use',
          quote: 'The words that show it',
        },
      },
    ),
    plan: ({ idempotencyKey, quote, ...fact }) => {
      const evidence = quote ? [{ callSessionId: fact.sourceCallSessionId ?? null, quote }] : []
      return {
        endpoint: requireEndpoint(reach, 'POST', '/facts', 'key'),
        body: { ...fact, evidence, status: 'proposed', extractor: 'agent' },
        idempotencyKey,
      }
    },
  })

const draftFields = {
  title: optional(nullable(line())),
  summary: optional(nullable(longText())),
  canonicalKind: optional(nullable(line(limits.wordLength))),
  payload: optional(mergedForm()),
  customerId: optional(nullable(uuid())),
  personId: optional(nullable(uuid())),
  factIds: optional(list(uuid())),
}
const aboutDraft = {
  ...aboutRetry,
  canonicalKind: 'Kind of work, such as job',
  payload: 'Fields of the work record',
}

const proposeDraft = (reach: Reach) =>
  tool({
    name: 'propose_draft',
    description: 'Propose the work record that a call asks for. People approve it.',
    scope: 'WRITE',
    input: bodyWith({ callSessionId: uuid(), ...draftFields, ...retry }, { about: aboutDraft }),
    plan: ({ idempotencyKey, ...body }) => ({
      endpoint: requireEndpoint(reach, 'POST', '/drafts', 'callSessionId'),
      body,
      idempotencyKey,
    }),
  })

const changeDraft = (reach: Reach) =>
  tool({
    name: 'change_draft',
    description: 'Change a draft that nobody has decided on.',
    scope: 'WRITE',
    input: bodyWith({ id: uuid(), ...fence, ...draftFields, ...retry }, { about: { ...aboutDraft, ...aboutFence } }),
    plan: ({ id, ifVersion, idempotencyKey, ...body }) => ({
      endpoint: requireEndpoint(reach, 'PATCH', '/drafts/{id}', 'id'),
      id,
      ifVersion,
      body,
      idempotencyKey,
    }),
  })
