// What providers send: look at the log of a connection, and replay a recorded sample in the sandbox.
import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Parley } from '../client.js'
import type { InboundSimulation } from '../generated/shapes.js'
import { CliError, UsageError } from './failure.js'
import type { Bind } from './program.js'
import { isLive, type Session } from './session.js'
import { plain } from './terminal.js'

const replayHelp = `
The file is JSON: { "provider": "twilio", "kind": "sms", "headers"?: {…}, "body": "From=%2B1…" or {…} },
or an array of such.
Nothing is signed and nothing is paid: it works with a sandbox key alone, and is logged as simulated.

Examples:
  $ parley inbound replay sample.json --connection 0198f0c0-1111-7000-8000-000000000000
  $ parley inbound replay docs/guides/samples/twilio-sms.json`

export function addInboundCommands(program: Command, bind: Bind): void {
  const inbound = program
    .command('inbound')
    .description('look at what providers sent, and replay samples')
    .addHelpText('after', '\nExamples:\n  $ parley inbound replay sample.json\n  $ parley inbound list <connection>')
  inbound
    .command('list')
    .argument('<connection>', 'the id of an integration connection')
    .option('--status <status>', 'pending, processed, ignored or failed')
    .description('show what the provider of a connection sent, newest first')
    .addHelpText('after', '\nExamples:\n  $ parley inbound list <connection> --status failed')
    .action(bind(list))
  inbound
    .command('replay')
    .argument('<file>', 'a recorded request, as JSON')
    .option('--connection <id>', 'the connection to send it to; the only one of its provider unless said')
    .description('send a recorded request in the place of its provider, in the sandbox')
    .addHelpText('after', replayHelp)
    .action(bind(replay))
}

async function list(session: Session, connection: string, { status }: { status?: string }): Promise<void> {
  const parley = await session.client()
  const { data } = await parley.integrationConnections.inbound(connection, { ...(status && { status }) } as never)
  session.print(data, () =>
    data
      .map(({ receivedAt, kind, status: verdict, error }) => `${receivedAt} ${kind} ${verdict} ${plain(error ?? '')}`)
      .join('\n'),
  )
}

interface Recorded {
  provider?: string
  kind: string
  headers?: Record<string, string>
  body: unknown
}

async function replay(session: Session, file: string, { connection }: { connection?: string }): Promise<void> {
  const recorded = await recordedIn(file)
  if (isLive(await session.account()))
    throw new CliError(
      'This is a live key: requests are replayed in the sandbox only.',
      'Take an ak_test_ key: --api-key, --profile, or `parley login`.',
    )
  const parley = await session.client()
  const answers: InboundSimulation[] = []
  for (const { provider, ...request } of recorded) {
    const id = connection ?? (await connectionOf(parley, provider))
    answers.push(await parley.integrationConnections.simulate(id, request))
  }
  session.print(answers, () =>
    answers.map(({ entry, answer }) => `${entry.kind} taken as ${entry.id}, answered ${answer.status}`).join('\n'),
  )
}

async function recordedIn(file: string): Promise<Recorded[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${file} cannot be read: ${error.message}`, 'Name a file that exists.')
  })
  const help = 'It holds { "kind": …, "body": … } or an array of such; see `parley inbound replay --help`.'
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new UsageError(`${file} is not valid JSON.`, help)
  }
  const all = Array.isArray(parsed) ? parsed : [parsed]
  if (!all.every(isRecorded)) throw new UsageError(`${file} is no recorded request.`, help)
  return all
}

const isRecorded = (value: unknown): value is Recorded =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string' && 'body' in value

const NAME_ONE = 'Name one with --connection <id>.'

/** The connection to a provider, where there is no doubt which. */
async function connectionOf(parley: Parley, provider: string | undefined): Promise<string> {
  const { data } = await parley.integrationConnections.list({ ...(provider !== undefined && { provider }), limit: 2 })
  const [only, another] = data
  if (only !== undefined && another === undefined) return only.id
  const which = provider ? ` to ${provider}` : ''
  if (only !== undefined) throw new UsageError(`There is more than one connection${which}.`, NAME_ONE)
  throw new UsageError(
    `There is no connection${which} yet.`,
    'Create one with POST /integration-connections; in the sandbox made-up credentials of the right form will do.',
  )
}
