// The page at `/docs` as HTML, drawn from the OpenAPI document: readable before any script has run. A pure function.

import type { Json } from '../openapi/openapi-schemas.js'
import { fieldRows, type Schema, typeOf } from './docs-schema.js'
import { escape, inline, paragraphs } from './docs-text.js'

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface Content {
  readonly description?: string
  readonly $ref?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

interface Document {
  readonly info: { readonly title: string; readonly summary: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Paths
  readonly webhooks: Paths
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly parameters: Readonly<Record<string, Parameter>>
    readonly responses: Readonly<Record<string, Content>>
  }
}

interface Described {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

export function docsHtml(made: Json): string {
  // What our own generator makes; its shape is held by the tests of the document.
  const document = made as unknown as Document
  const { info, tags, components } = document
  const operations = described(document.paths)
  const sections = tags
    .map((tag) => ({ ...tag, own: operations.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter(({ own }) => own.length > 0)
  return page(
    info.title,
    [
      ...sections.map(({ name }) => [anchor(name), name] as const),
      ['webhooks', 'Webhooks'] as const,
      ['schemas', 'Schemas'] as const,
    ],
    [
      `<h1>${escape(info.title)}</h1>${paragraphs(info.description)}`,
      ...sections.map(({ name, description, own }) => section(anchor(name), name, description, own, document)),
      section(
        'webhooks',
        'Webhooks',
        'What Parley sends to the URLs that you subscribe.',
        described(document.webhooks),
        document,
      ),
      schemaSection(components.schemas),
    ].join('\n'),
  )
}

const described = (paths: Paths): Described[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  )

const anchor = (tag: string): string => `operations-tag-${tag.replace(/\W+/g, '-')}`

const page = (title: string, links: readonly (readonly [string, string])[], main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} reference</title>
<link rel="icon" type="image/svg+xml" href="docs/icon.svg">
<link rel="stylesheet" href="docs/page.css">
<script src="docs/page.js" defer></script>
</head>
<body>
<nav aria-label="Sections">
<input id="find" type="search" placeholder="Search" aria-label="Search operations and schemas"
  autocomplete="off" hidden>
<ul>${links.map(([id, name]) => `<li><a href="#${id}">${escape(name)}</a></li>`).join('')}</ul>
<p><a href="api/v1/openapi.json">openapi.json</a></p>
</nav>
<main>
${main}
<p id="nothing" hidden>Nothing matches.</p>
</main>
</body>
</html>
`

function section(
  id: string,
  title: string,
  description: string,
  own: readonly Described[],
  document: Document,
): string {
  const operations = own.map((one) => operationHtml(one, document)).join('\n')
  return `<section id="${id}"><h2>${escape(title)}</h2>${paragraphs(description)}${operations}</section>`
}

function operationHtml({ method, path, operation }: Described, document: Document): string {
  const { operationId, summary, description = '', requestBody, responses } = operation
  const parameters = (operation.parameters ?? []).map((one) => resolve(one, document.components.parameters))
  const body = requestBody ? bodyHtml(requestBody) : ''
  return `<details id="${escape(operationId)}"><summary><b class="${method}">${method.toUpperCase()}</b>
<code>${escape(path)}</code> <span>${escape(summary)}</span></summary>
${paragraphs(description)}${parametersHtml(parameters)}${body}${responsesHtml(responses, document)}</details>`
}

function parametersHtml(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: where, required, description = '', schema }) =>
      `<tr><td><code>${escape(name)}</code>${required ? ' <em>required</em>' : ''}</td><td>${where}</td>` +
      `<td>${typeOf(schema)}</td><td>${inline(description)}</td></tr>`,
  )
  return `<h4>Parameters</h4><table>${rows.join('')}</table>`
}

function bodyHtml({ description = '', content = {} }: Content): string {
  const [type = '', { schema, example } = {}] = Object.entries(content)[0] ?? []
  const shape = schema === undefined ? '' : ` ${typeOf(schema)}`
  const fields = schema ? fieldRows(schema) : ''
  return `<h4>Body</h4><p>${escape(type)}${shape}</p>${paragraphs(description)}${fields}${exampleHtml(example)}`
}

function responsesHtml(responses: Readonly<Record<string, Content>>, { components }: Document): string {
  const rows = Object.entries(responses).map(([status, given]) => {
    const { description = '', content = {} } = resolve(given, components.responses)
    const { schema } = Object.values(content)[0] ?? {}
    return `<tr><td>${escape(status)}</td><td>${inline(description)}</td><td>${schema ? typeOf(schema) : ''}</td></tr>`
  })
  const done = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1]
  return `<h4>Answers</h4><table>${rows.join('')}</table>${exampleHtml(Object.values(done?.content ?? {})[0]?.example)}`
}

const exampleHtml = (example: unknown): string =>
  example === undefined ? '' : `<pre>${escape(JSON.stringify(example, undefined, 2))}</pre>`

function schemaSection(schemas: Readonly<Record<string, Schema>>): string {
  const each = Object.entries(schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escape(name)}"><summary><code>${escape(name)}</code> ` +
      `<span>${inline(schema.description ?? '')}</span></summary>` +
      `${fieldRows(schema) || `<p>${typeOf(schema)}</p>`}</details>`,
  )
  return `<section id="schemas"><h2>Schemas</h2>${each.join('\n')}</section>`
}

function resolve<T extends { readonly $ref?: string }>(value: T, components: Readonly<Record<string, T>>): T {
  return (value.$ref && components[value.$ref.split('/').at(-1) ?? '']) || value
}
