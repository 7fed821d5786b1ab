// docs/reference/errors.md: every code that the API can answer with instead of success.
import { errors } from '../../packages/contract/dist/index.js'
import { errorBodyOf } from '../../packages/server/dist/http/openapi/openapi-responses.js'
import { code, json, link, page, table } from './markdown.mjs'
import { reasons } from './reasons.mjs'

export const errorsPage = () =>
  page(
    '# Errors',
    'Every error has the same shape. `code` is for programs and never changes its meaning; `message` is for people and may. `meta.requestId` is also the header `x-request-id`: quote it when you ask for help.',
    json(errorBodyOf('bad_request')),
    table(
      ['Code', 'Status', 'Meaning'],
      Object.entries(errors).map(([name, { status, meaning }]) => [link(name), status, meaning]),
    ),
    '**What to retry.** `rate_limited` and `unavailable` after `Retry-After` seconds, `internal_error` after a while, each with the same `Idempotency-Key`: nothing happens twice. A `conflict` over the version: read the record again and decide anew. Everything else needs a changed request.',
    '**Order of checks.** Credentials, organization enabled, rate limit, scope, JSON, idempotency key, shape of path, query and body, existence, rules. A key with too low a scope learns nothing about what exists.',
    Object.entries(errors).map(
      ([name, { status, meaning }]) => `## ${name}\n\n${status}. ${meaning}\n\n${json(errorBodyOf(name))}`,
    ),
    '## Reasons',
    '`details.reason` of `conflict`, `unprocessable` and `forbidden` says which rule refused:',
    table(
      ['Reason', 'Code', 'What happened'],
      reasons().map(({ reason, of, meaning }) => [code(reason), code(of), meaning]),
    ),
  )
