// How the Python client makes a request. Which methods there are, and what they take, is read from its sources.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const source = fileURLToPath(new URL('../../clients/python/src/parley/_sync/resources.py', import.meta.url))

/** By its own method, else by `request`. `literal` spells a value as Python does. */
export function pythonCall({ method, path }, request, literal) {
  const known = methods().get(`${method} ${path.replace(/\{\w+\}/g, '{}')}`)
  const given = known && argumentsOf(known, path, request, literal)
  if (given === undefined) return `print(parley.request(${anyRequest(request, literal).join(', ')}))`
  return shown(known.returns, `parley.${known.property}${known.name}(${given.join(', ')})`)
}

const anyRequest = ({ method, path, query, json }, literal) => [
  JSON.stringify(method),
  JSON.stringify(path),
  ...(Object.keys(query).length > 0 ? [`query=${literal(query)}`] : []),
  ...(json ? [`body=${literal(json)}`] : []),
]

/** Undefined where the request has what the method takes in some other way. */
function argumentsOf({ positional, hasContentType }, path, { path: filled, query, json, isFile }, literal) {
  const values = path.split('/').flatMap((part, at) => (part.startsWith('{') ? [filled.split('/')[at]] : []))
  const rest = new Map(Object.entries(query).map(([name, value]) => [snakeCase(name), value]))
  let isSent = json === undefined && !isFile
  const given = positional.map((name) => {
    if (name === 'body' || name === 'content') {
      isSent = true
      return name === 'body' ? literal(json ?? {}) : 'open("recording.wav", "rb")'
    }
    if (name === 'items' && Array.isArray(json?.items)) {
      isSent = true
      return literal(json.items)
    }
    const value = rest.get(name) ?? values.shift()
    rest.delete(name)
    return value === undefined ? undefined : JSON.stringify(decodeURIComponent(value))
  })
  if (!isSent || given.includes(undefined) || values.length > 0) return undefined
  const named = [...rest].map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return [...given, ...named, ...(isFile && hasContentType ? ['content_type="audio/wav"'] : [])]
}

function shown(returns, call) {
  if (/^(Listing|Iterator)\b/.test(returns)) return `for one in ${call}:\n    print(one)`
  if (returns === 'None') return call
  return `print(${call}${returns === 'Download' ? '.text()' : ''})`
}

const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

let known
/** By method and path: the property of the client, the method, and what it takes without a name. */
function methods() {
  known ??= new Map(existsSync(source) ? read(readFileSync(source, 'utf8')) : [])
  return known
}

function read(text) {
  const properties = new Map([...text.matchAll(/^ {8}self\.(\w+) = (\w+)\(transport\)$/gm)].map(([, a, b]) => [b, a]))
  return text.split(/^class /m).flatMap((part) => {
    const [name = ''] = /^\w+/.exec(part) ?? []
    const property = name === 'Resources' ? '' : `${properties.get(name)}.`
    const defined = part.split(/^ {4}def /m).slice(1)
    return defined.flatMap((one) => methodIn(one, property))
  })
}

function methodIn(text, property) {
  const [, name, parameters, returns] = /^(\w+)\(([\s\S]*?)\) -> ([^:]+):\n/.exec(text) ?? []
  const [, verb, path] = /Request\(\s*"([A-Z]+)",\s*(?:path\(\s*)?"([^"]+)"/.exec(text) ?? []
  if (name === undefined || verb === undefined) return []
  const [before = ''] = parameters.split(/\*/)
  const positional = [...before.matchAll(/(?:^|[,\s])(\w+):/g)].map(([, one]) => one)
  return [
    [`${verb} ${path}`, { property, name, positional, returns, hasContentType: parameters.includes('content_type:') }],
  ]
}
