// One endpoint as a method: a list, a record, a file or a stream.
import { argument, docstring, refName, text, typeOf } from './schema.mjs'

const WIDTH = 120
const indent = '        '

/** The text of the method. */
export function method(one) {
  if (one.others.includes('text/event-stream')) return streamMethod(one)
  if (one.json.some((ref) => ref.endsWith('Page'))) return listMethod(one)
  if (one.json.length > 0) return jsonMethod(one) + (one.others.length > 0 ? textMethod(one) : '')
  if (one.method === 'GET') return fileMethod(one)
  return one.others.length > 0 ? rawMethod(one) : jsonMethod(one)
}

/** `request` is passed on by the lines that follow it. */
function written(
  one,
  { kind = 'def', name = one.name, positional = [], keyword = [], result, docs = one.docs, lines },
) {
  const given = ['self', ...ids(one), ...positional, ...(keyword.length > 0 ? ['*', ...keyword] : [])]
  const all = [...given, '**options: Unpack[RequestOptions]']
  const short = `    ${kind} ${name}(${all.join(', ')}) -> ${result}:`
  const long = `    ${kind} ${name}(\n${all.map((part) => `${indent}${part},\n`).join('')}    ) -> ${result}:`
  const body = lines.map((line) => `${indent}${line}\n`).join('')
  return `\n${short.length <= WIDTH ? short : long}\n${docstring(docs, indent)}${body}`
}

const ids = ({ ids }) => ids.map((name) => `${argument(name)}: str`)

/** The request as a statement, with an argument a line where one line is too short. */
function request(one, { passed = [], query = one.query } = {}) {
  const said = query.map(({ name }) => `${text(name)}: ${argument(name)}`)
  const before = [text(one.method), pathOf(one)]
  const after = [...passed, 'options=options']
  const short = `request = Request(${[...before, ...(said.length > 0 ? [`{${said.join(', ')}}`] : []), ...after].join(', ')})`
  if (short.length + indent.length <= WIDTH) return short
  const inner = `${indent}    `
  const dictionary = said.length > 0 ? [`{\n${said.map((part) => `${inner}    ${part},\n`).join('')}${inner}}`] : []
  return `request = Request(\n${[...before, ...dictionary, ...after].map((part) => `${inner}${part},\n`).join('')}${indent})`
}

const pathOf = ({ path, ids }) =>
  ids.length === 0 ? text(path) : `path(${text(path.replace(/\{\w+\}/g, '{}'))}, ${ids.map(argument).join(', ')})`

/** What a list is filtered by. */
function filters(query) {
  const given = ({ name, required, schema }) =>
    `${argument(name)}: ${typeOf(schema, true, 'models.')}${required ? '' : ' | None = None'}`
  return {
    must: query.filter(({ required }) => required).map(given),
    may: query.filter(({ required }) => !required).map(given),
  }
}

function listMethod(one) {
  const item = typeOf(one.schemas[one.json[0].split('/').at(-1)].properties.data.items, false, 'models.')
  // Events narrow by their type.
  const result = `AsyncListing[${item === 'models.ParleyEvent' ? 'models.Event' : item}]`
  const { must, may } = filters(one.query)
  const lines = [request(one), 'return AsyncListing(self._transport, request)']
  return written(one, { positional: must, keyword: may, result, lines })
}

/** What the body is called and how it is passed on. */
function bodyOf({ body, id, schemas }) {
  if (body === undefined) return { given: [], keyword: [], passed: [] }
  const { 'application/json': json } = body.content
  if (!json)
    return {
      given: ['content: Content'],
      keyword: ['content_type: str = "application/octet-stream"'],
      passed: ['content=content', 'content_type=content_type'],
    }
  if (/^batch[A-Z]/.test(id)) {
    const item = typeOf(schemas[refName(json.schema)].properties.items, true, 'models.')
    const items = '{"items": items} if atomic is None else {"items": items, "atomic": atomic}'
    return { given: [`items: ${item}`], keyword: ['atomic: bool | None = None'], passed: [`body=${items}`] }
  }
  const type = typeOf(json.schema, true, 'models.')
  return {
    given: [body.required ? `body: ${type}` : `body: ${type} | None = None`],
    keyword: [],
    passed: ['body=body'],
  }
}

/** A list that is wrapped in `data` alone is given as the list. */
function resultOf({ json, schemas }) {
  const types = json.map((ref) => ref.split('/').at(-1))
  if (types.length === 0) return { type: 'None', isWrapped: false }
  const { properties = {} } = schemas[types[0]]
  const isWrapped = 'data' in properties && Object.keys(properties).every((name) => ['data', 'meta'].includes(name))
  if (isWrapped) return { type: typeOf(properties.data, false, 'models.'), isWrapped }
  const type = types.map((name) => (name === 'ParleyEvent' ? 'models.Event' : `models.${name}`)).join(' | ')
  return { type, isWrapped }
}

function jsonMethod(one) {
  const { given, keyword, passed } = bodyOf(one)
  const query = one.others.length > 0 ? one.query.filter(({ name }) => name !== 'format') : one.query
  const { must, may } = filters(query)
  const { type: result, isWrapped } = resultOf(one)
  const asked = 'await self._transport.ask(request)'
  const type = text(result).replaceAll('\\"', "'")
  const end =
    result === 'None' ? [asked] : [`answer = ${asked}`, `return cast(${type}, answer${isWrapped ? '["data"]' : ''})`]
  const [positional, lines] = [
    [...given, ...must],
    [request(one, { passed, query }), ...end],
  ]
  return written(one, { kind: 'async def', positional, keyword: [...keyword, ...may], result, lines })
}

/** The same as text, in one of its formats. */
function textMethod(one) {
  const format = one.query.find(({ name }) => name === 'format')
  const formats = format.schema.enum.filter((name) => name !== 'json')
  const positional = [`format: Literal[${formats.map(text).join(', ')}] = ${text(formats[0])}`]
  const lines = [request(one, { query: [format] }), 'return (await self._transport.read(request)).decode()']
  const docs = `${one.docs}\n\nAs text.`
  return written(one, { kind: 'async def', name: `${one.name}_text`, positional, result: 'str', docs, lines })
}

function rawMethod(one) {
  const { given: positional, keyword, passed } = bodyOf(one)
  const lines = [request(one, { passed }), 'return await self._transport.read(request)']
  return written(one, { kind: 'async def', positional, keyword, result: 'bytes', lines })
}

function fileMethod(one) {
  const { must, may } = filters(one.query)
  const passed = one.isRedirect ? ['follows=True'] : []
  const lines = [request(one, { passed }), 'return AsyncDownload(self._transport, request)']
  return written(one, { positional: must, keyword: may, result: 'AsyncDownload', lines })
}

function streamMethod(one) {
  const [type, call] = one.id === 'streamEvents' ? ['models.Event', 'stream_events'] : ['Message', 'stream_messages']
  const { must, may } = filters(one.query)
  const keyword = [...may, 'last_event_id: str | None = None']
  const lines = [request(one), `return ${call}(self._transport, request, last_event_id)`]
  const resumes = 'It comes back by itself after a break and goes on where it was; `last_event_id` is where to begin.'
  const docs = `${one.docs}\n\n${resumes}`
  return written(one, { positional: must, keyword, result: `AsyncIterator[${type}]`, docs, lines })
}
