// Events: watch them, forward them to a laptop, make them happen.
import type { Command } from 'commander'
import type { ParleyEvent } from '../events.js'
import { typesOf } from './event-options.js'
import { examples } from './examples.js'
import { listen } from './listen.js'
import { countOf } from './number-options.js'
import type { Bind } from './program.js'
import type { Session } from './session.js'
import { simulate } from './simulate.js'
import { plain } from './terminal.js'
import { trigger, triggers } from './trigger.js'

export function addEventCommands(program: Command, bind: Bind): void {
  const events = program
    .command('events')
    .description('look at the event log')
    .addHelpText('after', examples('parley events tail'))
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
  program
    .command('listen')
    .requiredOption('--forward-to <url>', 'where to send events, for example http://localhost:4000/hooks')
    .option('--events <types>', 'only these, separated by commas')
    .option('-n, --limit <number>', 'stop after so many')
    .option('--from-now', 'forget what happened while nobody listened')
    .description('forward events to a receiver on this machine, signed as the service signs them')
    .addHelpText(
      'after',
      examples(
        'parley listen --forward-to http://localhost:4000/hooks',
        'parley listen --forward-to http://localhost:4000/hooks --events call.ended,draft.approved',
      ),
    )
    .action(bind(listen))
  program
    .command('trigger')
    .argument('<event>', 'one of the sixteen types')
    .description('make an event happen for real in the sandbox')
    .addHelpText(
      'after',
      `\nEvents:\n  ${Object.keys(triggers).join('\n  ')}\n` +
        examples('parley trigger call.ended', 'parley trigger draft.approved --json'),
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
    show(session, event)
    if (++shown >= max) return
  }
  for await (const event of parley.events.stream({
    type,
    signal: session.signal,
    lastEventId: (latest[0] ?? newest)?.eventId,
  })) {
    show(session, event)
    if (++shown >= max) return
  }
}

function show({ isJson, terminal }: Session, event: ParleyEvent): void {
  if (isJson) return terminal.out(JSON.stringify(event))
  const [subject] = Object.values(event.data)
  const ids = terminal.width < 110 ? '' : `  ${event.eventId}  ${plain(subject)}`
  terminal.out(`${terminal.paint('dim', event.occurredAt)}  ${terminal.paint('cyan', event.type.padEnd(21))}${ids}`)
}
