// The log of requests: what came in, how it ended, and who asked. It holds no bodies and no values of the query.
import type { Static } from 'typebox'
import { described, instant, integer, line, named, nullable, number, object, oneOf, uuid, word } from './field.js'
import { limits } from './limits.js'
import { type Parameters, pageParameters, searchParameter } from './query.js'

export const loggedMethods = ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'] as const

export const requestLogEntry = named(
  'RequestLogEntry',
  object({
    id: described(uuid(), 'Later entries have greater ids.'),
    createdAt: described(instant(), 'When the request was over.'),
    method: described(oneOf(loggedMethods), 'The method of the request.'),
    path: described(line(limits.urlLength), 'The path, without the query.'),
    status: described(integer({ minimum: 100, maximum: 599 }), 'The status of the answer.'),
    ms: described(number({ minimum: 0 }), 'Milliseconds from the first header to the end of the answer.'),
    actor: described(
      named(
        'RequestLogActor',
        object({
          type: described(oneOf(['key', 'user']), 'Whether it was a key or a member.'),
          id: described(line(), 'The key or the user.'),
        }),
      ),
      'Who asked.',
    ),
    requestId: described(line(limits.requestIdLength), 'The `X-Request-ID` of the answer.'),
    error: described(
      nullable(
        named(
          'RequestLogError',
          object({
            code: described(word(), 'The `code` of the error.'),
            reason: described(nullable(line()), 'Its reason, or the rule that the first named field breaks.'),
            field: described(nullable(line()), 'The first field that it names.'),
          }),
        ),
      ),
      'Why it was refused; null when it was not.',
    ),
  }),
)
export type RequestLogEntry = Static<typeof requestLogEntry>

/** Which requests: what the log and its stream both take. */
export const requestLogFilterParameters = {
  failed: { schema: { type: 'boolean' }, description: 'Only requests that were answered with a status from 400 on' },
} satisfies Parameters

export const requestLogParameters = {
  ...pageParameters,
  ...searchParameter('method, path, status, request id, the id of who asked, and the error'),
  ...requestLogFilterParameters,
  createdSince: { schema: instant(), description: 'Only requests that were over at or after this time' },
  createdBefore: { schema: instant(), description: 'Only requests that were over before this time' },
} satisfies Parameters
