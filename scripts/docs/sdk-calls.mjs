// How the TypeScript client makes a request: the six verbs of any entity and what can be done with one record by their
// own methods, everything else by `request`. Which methods there are is read from the sources of the client.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const resources = fileURLToPath(new URL('../../packages/sdk/src/resources/', import.meta.url))
const camelCase = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())

/** Undefined for what programs do not call: addresses that are credentials, and those of a browser's session. */
export function sdkCall({ method, path, takes, answers, body }, request) {
  if (!takes.key && !path.startsWith('/openapi')) return undefined
  const [, slug = '', id, action, ...rest] = path.split('/')
  const json = request.json && literal(request.json)
  const given = id?.startsWith('{') ? `'${request.path.split('/')[2]}'` : ''
  const isStream = answers.some(({ type }) => type === 'text/event-stream')
  const isPage = answers.some(({ schema }) => /Page$/.test(schema?.$ref ?? ''))
  const property = `parley.${camelCase(slug)}`
  if (isPage && id === undefined && Object.keys(request.query).length === 0)
    return `for await (const one of ${property}.list()) console.log(one)`
  const verb = verbOf(method, id, action)
  if (verb && !isPage && hasEntity(slug))
    return print(`${property}.${verb}(${[given, json].filter(Boolean).join(', ')})`, method)
  const isAction = given !== '' && action !== undefined && rest.length === 0 && method === 'POST'
  if (isAction && body?.type !== 'application/octet-stream' && methodsOf(slug).has(camelCase(action)))
    return print(`${property}.${camelCase(action)}(${[given, json].filter(Boolean).join(', ')})`)
  if (isStream || request.isFile || answers.some(({ type }) => type && type !== 'application/json')) return undefined
  const parts = [
    `method: '${method}'`,
    `path: '${request.path}'`,
    ...(Object.keys(request.query).length > 0 ? [`query: ${literal(request.query)}`] : []),
    ...(json ? [`body: ${json}`] : []),
  ]
  return print(`parley.request({ ${parts.join(', ')} })`, method)
}

const print = (call, method) => (method === 'DELETE' ? `await ${call}` : `console.log(await ${call})`)

function verbOf(method, id, action) {
  if (action !== undefined || (id !== undefined && !id.startsWith('{'))) return undefined
  if (id === undefined) return method === 'POST' ? 'create' : undefined
  return { GET: 'get', PATCH: 'update', PUT: 'replace', DELETE: 'delete' }[method]
}

/** A property with the plain verbs: all entities, and what the client builds from the same. */
function hasEntity(slug) {
  return sourceOf('../generated/entities.ts').includes(`'${slug}'`) || sourceOf('../client.ts').includes(`'${slug}'`)
}

/** The methods that a resource has beside the verbs: `approve(id, …)`. */
function methodsOf(slug) {
  return new Set(
    [...sourceOf(`${slug}.ts`).matchAll(/^ {2}(\w+)\(id: string, (?!.*, .*, .*, )/gm)].map(([, name]) => name),
  )
}

const read = new Map()
function sourceOf(name) {
  if (!read.has(name)) read.set(name, existsSync(resources + name) ? readFileSync(resources + name, 'utf8') : '')
  return read.get(name)
}

/** JSON as people write it in TypeScript. */
const literal = (json) =>
  JSON.stringify(json, null, 2)
    .replace(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replace(/"((?:[^"\\']|\\[^"])*)"/g, "'$1'")
