// Requests that one can paste, for any record that is looked at: its own address, with the reader's own ids.
import { type Environment, keyWords } from '@parley/contract/scopes'

const root = (): string => `${location.origin}/api/v1`

/** What a key of this environment begins with. */
export const keyStart = (environment: Environment): string => `ak_${keyWords[environment]}_…`

/** `path` is that of the API, such as `/people/0190…`. */
export const curlFor = (path: string): string => `curl "${root()}${path}" -H "Authorization: Bearer $PARLEY_API_KEY"`

const camel = (slug: string): string => slug.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export const typescriptClient = (): string =>
  [
    `import { Parley } from '@parley/sdk'`,
    '',
    `const parley = new Parley({ apiKey: process.env.PARLEY_API_KEY, baseUrl: '${location.origin}' })`,
  ].join('\n')

/** What reads it with the client library; what lies deeper is asked for by its path. */
export function typescriptCall(path: string): string {
  const [, slug = '', id, ...deeper] = path.split('/')
  if (id === undefined) return `for await (const one of parley.${camel(slug)}.list()) console.log(one.id)`
  return deeper.length === 0
    ? `const one = await parley.${camel(slug)}.get('${id}')`
    : `const one = await parley.request({ method: 'GET', path: '${path}' })`
}

export const typescriptFor = (path: string): string => `${typescriptClient()}\n${typescriptCall(path)}`
