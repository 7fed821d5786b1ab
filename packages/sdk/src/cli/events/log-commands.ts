// The requests that came in, as the service logged them.
import type { Command } from 'commander'
import type { RequestLogEntry } from '../../generated/shapes.js'
import { examples } from '../examples.js'
import { countOf } from '../number-options.js'
import type { Bind } from '../program.js'
import type { Session } from '../session.js'
import { plain } from '../terminal.js'

export function addLogCommands(program: Command, bind: Bind): void {
  const logs = program
    .command('logs')
    .description('look at the log of requests (ADMIN)')
    .addHelpText('after', examples('parley logs tail', 'parley logs tail --failed'))
  logs
    .command('tail')
    .option('--failed', 'only requests that were answered with a status from 400 on')
    .option('-n, --limit <number>', 'stop after so many')
    .option('--last <number>', 'begin with so many of the latest', '10')
    .description('show requests as they end: method, path, status, time, who asked, request id and error')
    .addHelpText('after', examples('parley logs tail', 'parley logs tail --failed --last 50 --json'))
    .action(bind(tail))
}

interface TailOptions {
  failed?: boolean
  limit?: string
  last: string
}

async function tail(session: Session, { failed, limit, last }: TailOptions): Promise<void> {
  const max = countOf(limit)
  const before = countOf(last, '--last', 0)
  const { requestLog } = await session.client()
  const filter = failed ? { failed } : {}
  const latest = before > 0 ? (await requestLog.list({ ...filter, limit: Math.min(before, 100) })).data : []
  let shown = 0
  for (const entry of [...latest].reverse()) {
    session.terminal.out(lineOf(session, entry))
    if (++shown >= max) return
  }
  // Where there was none, it is all that comes from the beginning: one may have been logged since we looked.
  const lastEventId = latest[0]?.id ?? (before > 0 ? '0' : undefined)
  const following = { ...filter, signal: session.signal, lastEventId }
  for await (const entry of requestLog.stream(following)) {
    session.terminal.out(lineOf(session, entry))
    if (++shown >= max) return
  }
}

function lineOf({ isJson, terminal }: Session, entry: RequestLogEntry): string {
  if (isJson) return JSON.stringify(entry)
  const { createdAt, method, path, status, ms, actor, requestId, error } = entry
  const shownStatus = terminal.paint(status < 400 ? 'green' : 'red', String(status))
  const why = error === null ? '' : [error.code, error.reason, error.field].filter(Boolean).join(' ')
  const who = terminal.width < 110 ? '' : `  ${actor.type} ${actor.id}  ${requestId}`
  const begin = `${terminal.paint('dim', createdAt)}  ${shownStatus}  ${method.padEnd(6)} ${plain(path)}`
  return `${begin}  ${Math.round(ms)} ms${who}${why && `  ${terminal.paint('red', plain(why))}`}`
}
