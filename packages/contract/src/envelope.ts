// What surrounds the records of an answer, and the one shape of every error.
import { type ErrorCode, errors } from './errors.js'
import {
  anyOf,
  type Field,
  flag,
  integer,
  line,
  list,
  named,
  nullable,
  object,
  oneOf,
  optional,
  text,
  word,
} from './field.js'
import { limits } from './limits.js'

export const meta = named(
  'Meta',
  object(
    { requestId: text(limits.requestIdLength) },
    { requestId: 'The id of the request, as in `x-request-id`: quote it when you ask for help.' },
  ),
)

export const pagination = named(
  'Pagination',
  object(
    {
      limit: integer({ minimum: 1, maximum: limits.pageMax }),
      nextCursor: nullable(text(512)),
      count: optional(integer({ minimum: 0, maximum: limits.countMax })),
      countIsExact: optional(flag()),
    },
    {
      limit: 'How many records a page has at most.',
      nextCursor: 'Pass it as `cursor` for the next page; null on the last one.',
      count: `With \`count=true\`: how many records the list has, up to ${limits.countMax}.`,
      countIsExact: 'With `count=true`: false where there are more.',
    },
  ),
)

/** What is said of the two wherever they stand. */
export const aboutEnvelope = { pagination: 'Where in the list the page is.', meta: 'About the request.' }

const issue = named(
  'Issue',
  object(
    { path: line(limits.textLength), message: line(limits.textLength), code: optional(word()) },
    {
      path: 'Where the problem is: a field such as `lineItems[0].quantity`, a query parameter or a header.',
      message: 'What is wrong with it, for people.',
      code: 'What is wrong with it, for programs.',
    },
  ),
)

/** Besides `reason` each code tells what it calls for. */
const errorDetails = named('ErrorDetails', {
  ...object({ reason: optional(word()) }, { reason: 'Which rule refused, for programs.' }),
  additionalProperties: true,
} as Field<Record<string, unknown>>)

export const apiError = named(
  'ApiError',
  object(
    {
      code: named('ErrorCode', oneOf(Object.keys(errors) as ErrorCode[])),
      message: line(limits.textLength),
      details: optional(anyOf(list(issue), errorDetails)),
    },
    {
      code: 'What went wrong, for programs.',
      message: 'What went wrong and what to do, for people.',
      details: 'For `bad_request` one entry for each problem; otherwise what the code calls for, such as `reason`.',
    },
  ),
)

export const errorResponse = named(
  'ErrorResponse',
  object({ error: apiError, meta }, { error: 'What went wrong.', meta: aboutEnvelope.meta }),
)
