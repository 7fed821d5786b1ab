// Any path of the API: get, post, put, patch and delete, for what has no command of its own.
import type { Command } from 'commander'
import type { Ask } from '../transport.js'
import { type DataOptions, typedBody } from './body-options.js'
import { examples } from './examples.js'
import { UsageError } from './failure.js'
import type { Bind } from './program.js'
import type { Session } from './session.js'

export function addRequestCommands(program: Command, bind: Bind): void {
  for (const method of ['POST', 'PUT', 'PATCH'] as const) {
    const name = method.toLowerCase()
    program
      .command(name)
      .argument('<path>', 'below /api/v1, such as /people')
      .argument('[fields...]', 'name=text or name:=json')
      .option('-d, --data <json>', 'the body; @file reads a file, - standard input')
      .option('--idempotency-key <key>', 'the same key again does nothing twice')
      .description(`send a ${method} request to any path`)
      .addHelpText('after', examples(samples[method]))
      .action(
        bind(async (session: Session, path: string, fields: string[], options: DataOptions) =>
          send(session, method, path, await typedBody(session, fields, options), options),
        ),
      )
  }
}

const samples = {
  POST: 'parley post /drafts/0190…/approve',
  PUT: 'parley put /tasks/0190… title="Call back"',
  PATCH: 'parley patch /organization settings.defaultCountry=US',
}

/** Sends it and prints what comes back: JSON where it is JSON, else as it is. */
export async function send(
  session: Session,
  method: Ask['method'],
  typed: string,
  body?: Record<string, unknown>,
  { idempotencyKey }: DataOptions = {},
): Promise<void> {
  const parley = await session.client()
  const response = await parley.fetch({ method, ...placeOf(typed), body, options: { idempotencyKey } })
  const text = await response.text()
  if (text === '') return session.terminal.note(`${response.status}, without a body.`)
  const isJson = response.headers.get('content-type')?.includes('json')
  session.terminal.out(isJson ? JSON.stringify(JSON.parse(text), null, 2) : text.trimEnd())
}

/** `people?limit=2`, `/people` and `/api/v1/people` are the same place. */
function placeOf(typed: string): Pick<Ask, 'path' | 'query'> {
  if (/^\w+:\/\//.test(typed))
    throw new UsageError(`${typed} is a whole address.`, 'Give the path alone, such as /people; --profile says where.')
  const [path = '', query = ''] = typed.split(/\?(.*)/s)
  const below = `/${path.replace(/^\/+/, '').replace(/^api\/v1\//, '')}`
  return { path: below, query: Object.fromEntries(new URLSearchParams(query)) }
}
