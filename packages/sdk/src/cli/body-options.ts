// Fields and bodies, as several commands let them be typed: name=text, name:=json, or JSON as a whole.
import { readFile } from 'node:fs/promises'
import { CliError, UsageError } from './failure.js'
import type { Session } from './session.js'

export type Body = Record<string, unknown>

export interface DataOptions {
  readonly data?: string
  readonly idempotencyKey?: string
}

/** What was typed as fields, over what was given with --data; undefined when nothing was. */
export async function typedBody(
  { stdin }: Session,
  given: readonly string[],
  { data }: DataOptions,
): Promise<Body | undefined> {
  const whole = data === undefined ? {} : parsed(await textOf(stdin, data), '--data')
  if (typeof whole !== 'object' || whole === null || Array.isArray(whole))
    throw new UsageError('--data is no JSON object.', 'For example: --data \'{"title":"Call back"}\'')
  return data === undefined && given.length === 0 ? undefined : { ...whole, ...fieldsOf(given, '') }
}

async function textOf(stdin: NodeJS.ReadStream, data: string): Promise<string> {
  if (data === '-') {
    let text = ''
    for await (const chunk of stdin.setEncoding('utf8')) text += chunk
    return text
  }
  if (!data.startsWith('@')) return data
  return readFile(data.slice(1), 'utf8').catch((error: Error) => {
    throw new CliError(`${data.slice(1)} cannot be read: ${error.message}`, 'Name a file that exists after the @.')
  })
}

/**
 * `title=Call`, `customFields.tier=gold` and `capturedFields:={"zip":"20001"}` as an object; `flag` is for the words of
 * an error.
 */
export function fieldsOf(given: readonly string[], flag: string): Body {
  const body: Body = {}
  for (const one of given) {
    const [path, value] = fieldOf(one, flag)
    put(body, path.split('.'), value)
  }
  return body
}

function fieldOf(given: string, flag: string): [string, unknown] {
  const match = /^([\w.]+)(:?)=([\s\S]*)$/.exec(given)
  if (match === null)
    throw new UsageError(
      `${flag}${given} is not of the form name=text or name:=json.`,
      `For example: ${flag}title="Call back", or ${flag}customFields:='{"tier":"gold"}'`,
    )
  const [, name = '', isJson, value = ''] = match
  return [name, isJson ? parsed(value, name) : value]
}

/** Own keys only: a field called `__proto__` is a field like any other, for the service to refuse. */
function put(body: Body, [name = '', ...rest]: readonly string[], value: unknown): void {
  const there = Object.hasOwn(body, name) ? body[name] : undefined
  const inner = typeof there === 'object' && there !== null ? { ...there } : {}
  if (rest.length > 0) put(inner, rest, value)
  Object.defineProperty(body, name, {
    value: rest.length > 0 ? inner : value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(
      `${what} is no JSON: ${text.slice(0, 60)}`,
      'Quote it for the shell, for example --data \'{"title":"x"}\'',
    )
  }
}
