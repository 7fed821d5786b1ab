// src/parley/_async/resources.py: every endpoint as a method of its resource, the first part of its path.
import { answered, argument, docstring, pascal, refName, snake, text, typeOf } from './schema.mjs'

/** Where the plain rule gives no good name. */
const names = {
  sendSms: 'send',
  receiveSms: 'receive',
  getSchema: 'schema',
  getStats: 'stats',
  getOpenApi: 'openapi',
  getOpenApi30: 'openapi_3_0',
  findPersonByPhone: 'by_phone',
  findDuplicatePeople: 'duplicates',
  findDuplicateCustomers: 'duplicates',
  getPersonTimeline: 'timeline',
  getCustomerTimeline: 'timeline',
  getWorkRecordTimeline: 'timeline',
  getCallTranscript: 'transcript',
  getCallSurface: 'surface',
  getCallRecording: 'recording',
  getVoicemailRecording: 'recording',
  downloadRecording: 'download',
  getFactQuality: 'facts',
  readCalendar: 'read',
  receiveInbound: 'receive',
  listImportErrors: 'errors',
}
/** Methods of the client itself. */
const onClient = new Set(['schema', 'search', 'stats', 'openapi.json', 'openapi-3.0.json'])

export function resourcesFile(document) {
  const open = answered(document)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(document, path, method, operation, open)),
  )
  const slugs = [...new Set(operations.map(({ slug }) => slug))].filter((slug) => !onClient.has(slug))
  const classes = slugs.map((slug) => {
    const own = operations.filter((one) => one.slug === slug)
    return `\n\nclass Async${pascal(slug)}(_Resource):\n${docstring(aboutOf(document, own), '    ')}${own.map(method).join('')}`
  })
  const properties = slugs.map(
    (slug) =>
      `        self.${snake(slug)} = Async${pascal(slug)}(transport)\n${docstring(
        aboutOf(
          document,
          operations.filter((one) => one.slug === slug),
        ),
        '        ',
      )}`,
  )
  const direct = operations.filter(({ slug }) => onClient.has(slug))
  return `${head}${classes.join('')}\n\nclass AsyncResources(_Resource):\n    """Every resource of the service."""\n\n    def __init__(self, transport: AsyncTransport) -> None:\n        super().__init__(transport)\n${properties.join('')}${direct.map(method).join('')}`
}

const head = `"""Every endpoint as a method of its resource."""

from __future__ import annotations

from datetime import datetime
from typing import Any, AsyncIterator, Dict, List, Literal, Sequence, Union, cast

from .. import models
from .._request import Content, Request, RequestOptions, Unpack, path
from .._sse import Message
from .pages import AsyncDownload, AsyncListing
from .stream import stream_events, stream_messages
from .transport import AsyncTransport


class _Resource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
`

function aboutOf(document, [{ tag, slug }]) {
  const words = document.tags.find(({ name }) => name === tag)?.description ?? tag
  // Where nobody wrote any, the description lists the endpoints, which the methods do as well.
  return words.length > 120 ? `${tag}: \`/${slug}\`.` : words
}

function operationOf(document, path, method, operation, open) {
  const [, slug] = path.split('/')
  const parameters = (operation.parameters ?? []).map((one) =>
    one.$ref ? document.components.parameters[refName(one)] : one,
  )
  const good = Object.entries(operation.responses).filter(([status]) => /^[23]/.test(status) && status !== '304')
  const types = good.flatMap(([, { content = {} }]) => Object.entries(content))
  return {
    id: operation.operationId,
    tag: operation.tags[0],
    slug,
    path,
    method: method.toUpperCase(),
    name: names[operation.operationId] ?? nameOf(operation.operationId, slug),
    docs: [operation.summary, operation.description].filter(Boolean).join('.\n\n'),
    ids: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
    query: parameters.filter((one) => one.in === 'query'),
    body: operation.requestBody,
    json: [...new Set(types.filter(([type]) => type === 'application/json').map(([, { schema }]) => schema.$ref))],
    others: types.map(([type]) => type).filter((type) => type !== 'application/json'),
    isRedirect: good.some(([status]) => status === '302'),
    schemas: document.components.schemas,
    open,
  }
}

/** `listPersonMerges` of `people` is `list_merges`: what the property says already is left out. */
function nameOf(id, slug) {
  const own = pascal(slug)
  const singular = { People: 'Person', Parties: 'Party', Companies: 'Company' }[own] ?? own.replace(/s$/, '')
  const rest = [own, singular, own.replace(/ies$/, 'y')].reduce(
    (name, noun) => name.replace(new RegExp(`(?<=[a-z])${noun}(?=[A-Z]|$)`), ''),
    id,
  )
  return snake(rest)
}

function method(one) {
  if (one.others.includes('text/event-stream')) return streamMethod(one)
  const isPage = one.json.some((ref) => ref.endsWith('Page'))
  if (isPage) return listMethod(one)
  if (one.json.length > 0) return jsonMethod(one) + (one.others.length > 0 ? textMethod(one) : '')
  if (one.method === 'GET') return fileMethod(one)
  return one.others.length > 0 ? rawMethod(one) : jsonMethod(one)
}

const ids = ({ ids }) => ids.map((name) => `${argument(name)}: str`)

function queryArguments({ query }, without = []) {
  const said = query.filter(({ name }) => !without.includes(name))
  const given = ({ name, required, schema }) =>
    `${argument(name)}: ${typeOf(schema, true, 'models.')}${required ? '' : ' | None = None'}`
  const [must, may] = [said.filter(({ required }) => required), said.filter(({ required }) => !required)]
  return { must: must.map(given), may: may.map(given) }
}

function queryOf({ query }, without = []) {
  const said = query.filter(({ name }) => !without.includes(name))
  return said.length === 0 ? '' : `, {${said.map(({ name }) => `${text(name)}: ${argument(name)}`).join(', ')}}`
}

const pathOf = ({ path, ids }) =>
  ids.length === 0 ? text(path) : `path(${text(path.replace(/\{\w+\}/g, '{}'))}, ${ids.map(argument).join(', ')})`

function signature(kind, name, positional, keyword, result) {
  const all = ['self', ...positional, ...(keyword.length > 0 ? ['*', ...keyword] : [])]
  const line = `    ${kind} ${name}(${all.join(', ')}, **options: Unpack[RequestOptions]) -> ${result}:`
  if (line.length <= 110) return `\n${line}\n`
  return `\n    ${kind} ${name}(\n${[...all, '**options: Unpack[RequestOptions]'].map((one) => `        ${one},\n`).join('')}    ) -> ${result}:\n`
}

function listMethod(one) {
  const item = typeOf(one.schemas[one.json[0].split('/').at(-1)].properties.data.items, false, 'models.')
  // Events narrow by their type.
  const type = item === 'models.ParleyEvent' ? 'models.Event' : item
  const { must, may } = queryArguments(one)
  return `${signature('def', one.name, [...ids(one), ...must], may, `AsyncListing[${type}]`)}${docstring(one.docs, '        ')}        return AsyncListing(self._transport, Request("GET", ${pathOf(one)}${queryOf(one)}, options=options))\n`
}

/** What the body is called and how it is passed on. */
function bodyOf({ body, id, schemas }) {
  if (body === undefined) return { given: [], keyword: [], passed: '' }
  const { 'application/json': json } = body.content
  if (!json)
    return {
      given: ['content: Content'],
      keyword: ['content_type: str = "application/octet-stream"'],
      passed: ', content=content, content_type=content_type',
    }
  if (/^batch[A-Z]/.test(id)) {
    const item = typeOf(schemas[refName(json.schema)].properties.items, true, 'models.')
    const items = '{"items": items} if atomic is None else {"items": items, "atomic": atomic}'
    return { given: [`items: ${item}`], keyword: ['atomic: bool | None = None'], passed: `, body=${items}` }
  }
  const type = typeOf(json.schema, true, 'models.')
  return {
    given: [body.required ? `body: ${type}` : `body: ${type} | None = None`],
    keyword: [],
    passed: ', body=body',
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
  const without = one.others.length > 0 ? ['format'] : []
  const { must, may } = queryArguments(one, without)
  const { type, isWrapped } = resultOf(one)
  const asked = `await self._transport.ask(Request(${text(one.method)}, ${pathOf(one)}${queryOf(one, without)}${passed}, options=options))`
  const head = `${signature('async def', one.name, [...ids(one), ...given, ...must], [...keyword, ...may], type)}${docstring(one.docs, '        ')}`
  if (type === 'None') return `${head}        ${asked}\n`
  return `${head}        answer = ${asked}\n        return cast(${text(type).replaceAll('\\"', "'")}, answer${isWrapped ? '["data"]' : ''})\n`
}

/** The same as text, in one of its formats. */
function textMethod(one) {
  const formats = one.query.find(({ name }) => name === 'format').schema.enum.filter((name) => name !== 'json')
  const format = `format: Literal[${formats.map(text).join(', ')}] = ${text(formats[0])}`
  const asked = `await self._transport.read(Request("GET", ${pathOf(one)}, {"format": format}, options=options))`
  return `${signature('async def', `${one.name}_text`, [...ids(one), format], [], 'str')}${docstring(`${one.docs}\n\nAs text.`, '        ')}        return (${asked}).decode()\n`
}

function rawMethod(one) {
  const { given, keyword, passed } = bodyOf(one)
  const asked = `await self._transport.read(Request(${text(one.method)}, ${pathOf(one)}${passed}, options=options))`
  return `${signature('async def', one.name, [...ids(one), ...given], keyword, 'bytes')}${docstring(one.docs, '        ')}        return ${asked}\n`
}

function fileMethod(one) {
  const { must, may } = queryArguments(one)
  const follows = one.isRedirect ? ', follows=True' : ''
  return `${signature('def', one.name, [...ids(one), ...must], may, 'AsyncDownload')}${docstring(one.docs, '        ')}        return AsyncDownload(\n            self._transport, Request("GET", ${pathOf(one)}${queryOf(one)}${follows}, options=options)\n        )\n`
}

function streamMethod(one) {
  const [type, call] = one.id === 'streamEvents' ? ['models.Event', 'stream_events'] : ['Message', 'stream_messages']
  const { must, may } = queryArguments(one)
  const keyword = [...may, 'last_event_id: str | None = None']
  const request = `Request("GET", ${pathOf(one)}${queryOf(one)}, options=options)`
  return `${signature('def', one.name, [...ids(one), ...must], keyword, `AsyncIterator[${type}]`)}${docstring(`${one.docs}\n\nIt comes back by itself after a break and goes on where it was; \`last_event_id\` is where to begin.`, '        ')}        return ${call}(self._transport, ${request}, last_event_id)\n`
}
