// Events: watch them, look at one, send one again, forward them to a laptop, make them happen.
import type { Command } from 'commander'
import type { ParleyEvent } from '../../events.js'
import { examples } from '../examples.js'
import { countOf } from '../number-options.js'
import type { Bind } from '../program.js'
import { collect } from '../record-commands.js'
import type { Session } from '../session.js'
import { plain } from '../terminal.js'
import { typesOf } from './event-options.js'
import { listen } from './listen.js'
import { resend } from './resend.js'
import { simulate } from './simulate.js'
import { trigger } from './trigger.js'
import { triggers } from './triggers.js'

export function addEventCommands(program: Command, bind: Bind): void {
  const events = program
    .command('events')
    .description('look at the event log')
    .addHelpText('after', examples('parley events tail', 'parley events get 01KD…', 'parley events resend 01KD…'))
  events
    .command('get')
    .argument('<event>', 'an event id, such as `parley events tail` shows')
    .description('show one event whole')
    .addHelpText('after', examples('parley events get 01KDVDNKG0…'))
    .action(bind(show))
  events
    .command('resend')
    .argument('<event>', 'an event id')
    .option('--webhook <id>', 'to this subscription; to all that got it unless said')
    .description('send an event again to the webhooks that it was for')
    .addHelpText('after', examples('parley events resend 01KDVDNKG0…', 'parley events resend 01KD… --webhook 0190…'))
    .action(bind(resend))
  events
    .command('tail')
    .option('--events <types>', 'only these, separated by commas')
    .option('-n, --limit <number>', 'stop after so many')
    .option('--last <number>', 'begin with so many of the latest', '10')
    .description('show events as they happen')
    .addHelpText(
      'after',
      examples('parley events tail', 'parley events tail --events call.ended,task.created --last 0 --json'),
    )
    .action(bind(tail))
  addListenCommand(program, bind)
  addSandboxCommands(program, bind)
}

function addListenCommand(program: Command, bind: Bind): void {
  program
    .command('listen')
    .option('--forward-to <url>', 'where to send events, for example http://localhost:4000/hooks')
    .option('--events <types>', 'only these, separated by commas; `all` for every type; the standard ones unless said')
    .option('-H, --headers <name: value>', 'send this header along; may be repeated', collect, [])
    .option('--use-configured-webhooks', 'take types and paths from the active webhooks; --forward-to says the host')
    .option('--skip-verify', 'take any certificate of an https receiver')
    .option('--print-secret', 'print the signing secret and stop')
    .option('--format <format>', 'text or json: a line of JSON for each event, with the event in it')
    .option('-n, --limit <number>', 'stop after so many')
    .option('--from-now', 'forget what happened while nobody listened')
    .description('forward events to a receiver on this machine, signed as the service signs them')
    .addHelpText(
      'after',
      examples(
        'parley listen --forward-to http://localhost:4000/hooks',
        'parley listen --forward-to http://localhost:4000/hooks --events call.ended,draft.approved',
        'parley listen --forward-to http://localhost:4000 --use-configured-webhooks -H "X-Branch: mine"',
        'export PARLEY_WEBHOOK_SECRET=$(parley listen --print-secret)',
      ),
    )
    .action(bind(listen))
}

function addSandboxCommands(program: Command, bind: Bind): void {
  program
    .command('trigger')
    .argument('<event>', 'one of the types below')
    .option('--override <field=value>', 'say something else of the record; may be repeated', collect, [])
    .description('make an event happen for real in the sandbox')
    .addHelpText(
      'after',
      `\nEvents:\n  ${Object.keys(triggers).join('\n  ')}\n` +
        examples(
          'parley trigger call.ended',
          'parley trigger person.created --override displayName=Dana --override customFields.tier=gold',
          'parley trigger draft.approved --json',
        ),
    )
    .action(bind(trigger))
  program
    .command('simulate')
    .argument('<scenario>', 'full_intake, inbound_call, missed_call, voicemail or inbound_sms')
    .option('--script <name>', 'which conversation')
    .option('--speed <factor>', 'how many times faster than life')
    .description('play a conversation in the sandbox and show what comes of it')
    .addHelpText('after', examples('parley simulate full_intake --speed 5', 'parley simulate missed_call'))
    .action(bind(simulate))
}

interface TailOptions {
  events?: string
  limit?: string
  last: string
}

async function tail(session: Session, { events, limit, last }: TailOptions): Promise<void> {
  const max = countOf(limit)
  const before = countOf(last, '--last', 0)
  const parley = await session.client()
  const type = events === undefined ? undefined : typesOf(events, (await parley.schema()).eventTypes)
  const latest = before > 0 ? (await parley.events.list({ type, limit: Math.min(before, 100) })).data : []
  const newest = before > 0 ? undefined : (await parley.events.list({ limit: 1 })).data[0]
  let shown = 0
  for (const event of [...latest].reverse()) {
    showLine(session, event)
    if (++shown >= max) return
  }
  for await (const event of parley.events.stream({
    type,
    signal: session.signal,
    lastEventId: (latest[0] ?? newest)?.eventId,
  })) {
    showLine(session, event)
    if (++shown >= max) return
  }
}

/** Whole and indented, at a terminal too: an event has parts within parts. */
async function show(session: Session, eventId: string): Promise<void> {
  const event = await (await session.client()).events.get(eventId)
  session.terminal.out(JSON.stringify(event, null, 2))
}

function showLine({ isJson, terminal }: Session, event: ParleyEvent): void {
  if (isJson) return terminal.out(JSON.stringify(event))
  const [subject] = Object.values(event.data)
  const ids = terminal.width < 110 ? '' : `  ${event.eventId}  ${plain(subject)}`
  terminal.out(`${terminal.paint('dim', event.occurredAt)}  ${terminal.paint('cyan', event.type.padEnd(21))}${ids}`)
}
