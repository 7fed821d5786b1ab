// Lines of the log as a person reads them at a terminal, made from those for machines.

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

interface Line {
  readonly level: number
  readonly time: number
  readonly msg?: string
  readonly err?: { readonly type: string; readonly message: string; readonly code?: string; readonly stack?: string }
  readonly [detail: string]: unknown
}

export const textLines = (lines: string): string => lines.trimEnd().split('\n').map(textLine).join('')

function textLine(json: string): string {
  const { level, time, msg = '', err, pid: _pid, hostname: _hostname, ...details }: Line = JSON.parse(json)
  const clock = new Date(time).toTimeString().slice(0, 8)
  const said = msg === 'request' ? requestText(details) : [msg, ...pairs(details)].join(' ')
  const trouble = err ? `: ${err.message}${err.code ? ` (${err.code})` : ''}${err.stack ? `\n${err.stack}` : ''}` : ''
  return `${clock} ${(levels[level] ?? '').padEnd(5)} ${said}${trouble}\n`
}

function requestText({ method, route, status, ms, bytes, ...rest }: Record<string, unknown>): string {
  return [method, route ?? 'no such path', status, `${ms} ms`, `${bytes} B`, ...pairs(rest)].join(' ')
}

const pairs = (details: Record<string, unknown>): string[] =>
  Object.entries(details).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
