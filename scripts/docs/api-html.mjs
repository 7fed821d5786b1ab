// A page of the reference as HTML: what can be done under one tag, then the shapes that are described there.
import { anchor, codeBlock, escape, inline, paragraphs } from './html.mjs'
import { relative } from './links.mjs'
import { samplesOf } from './samples.mjs'
import { fieldsOf, typeOf, valuesOf } from './schema-words.mjs'

export function apiHtml(page, { homes, schemas }) {
  const words = wordsOn(page.path, homes)
  return [
    paragraphs(page.description),
    page.operations.length > 1 ? contentsHtml(page.operations) : '',
    ...page.operations.map((one) => operationHtml(one, page.path, { words, schemas })),
    page.parameters.length > 0 ? `<h2 id="parameters">Parameters of many operations</h2>` : '',
    ...page.parameters.map(([name, one]) => sharedParameterHtml(name, one, words)),
    page.shapes.length > 0 ? '<h2 id="shapes">Shapes</h2>' : '',
    ...page.shapes.map((name) => shapeHtml(name, schemas[name], words)),
  ].join('\n')
}

export const wordsOn = (from, homes) => ({
  text: escape,
  code: (text) => `<code>${escape(text)}</code>`,
  link: (name) => {
    const { page, id } = homes.get(name)
    return `<a href="${relative(from, page, id)}">${escape(name)}</a>`
  },
})

const badge = (method) => `<span class="method ${method.toLowerCase()}">${method}</span>`

const contentsHtml = (operations) =>
  `<ul class="contents">${operations
    .map(
      ({ id, method, path, summary }) =>
        `<li><a href="#${id}">${badge(method)} <code>${escape(path)}</code> <span>${escape(summary)}</span></a></li>`,
    )
    .join('')}</ul>`

function operationHtml(operation, from, { words, schemas }) {
  const { id, method, path, summary, description, parameters, body } = operation
  const own = ['path', 'query', 'header'].map((place) => parametersHtml(operation, place, parameters, from, words))
  return `<section class="operation" id="${id}" data-method="${method}" data-path="${escape(path)}"${takesHtml(operation)}>
<h2>${escape(summary)} ${anchor(id, summary)}</h2>
<p class="path">${badge(method)} <code>/api/v1${breakable(path)}</code></p>
<div class="columns"><div>
${paragraphs(description)}${own.join('')}${body ? bodyHtml(id, body, { words, schemas }) : ''}
${answersHtml(operation, from, words)}
</div><div class="beside">
${samplesHtml(operation)}${answerExampleHtml(operation.answers)}
</div></div>
</section>`
}

const takesHtml = ({ takes, body }) =>
  `${takes.key ? ' data-key' : ''}${takes.session ? ' data-session' : ''}${body ? ` data-body="${body.type}"` : ''}`

/** A long path may break after its slashes. */
const breakable = (path) => escape(path).replaceAll('/', '/<wbr>')

const places = { path: 'Path', query: 'Query', header: 'Headers' }

function parametersHtml({ id }, place, parameters, from, words) {
  const own = parameters.filter((one) => one.in === place)
  if (own.length === 0) return ''
  const rows = own.map(({ name, schema, required, description = '', shared, example }) => {
    const field = { name, schema: { ...schema, description }, mark: required ? 'required' : '', fields: [] }
    const given = example ?? schema.examples?.[0]
    const data = `data-name="${escape(name)}" data-in="${place}"${required ? ' data-required' : ''}${
      given === undefined ? '' : ` data-example="${escape([given].flat().join(','))}"`
    }`
    return shared
      ? fieldHtml({ ...field, href: relative(from, 'api/shared', `parameter.${shared}`) }, '', words, data)
      : fieldHtml(field, `${id}.${name}`, words, data)
  })
  return `<h3>${places[place]}</h3><ul class="fields">${rows.join('')}</ul>`
}

function bodyHtml(id, { type, schema, about, example }, { words, schemas }) {
  const shape = schema.$ref ? schemas[schema.$ref.split('/').at(-1)] : schema
  const fields = fieldsOf(shape)
  const shown = fields.length > 0 ? '' : ` ${typeOf(shape, words)}`
  return `<h3 id="${id}-body">Body</h3><p class="quiet"><code>${type}</code>${shown}</p>${paragraphs(about)}
${fieldsHtml(fields, id, words)}${
  type === 'application/json' ? `<pre class="body" hidden>${escape(JSON.stringify(example ?? {}, null, 2))}</pre>` : ''
}`
}

const fieldsHtml = (fields, before, words) =>
  fields.length === 0
    ? ''
    : `<ul class="fields">${fields.map((one) => fieldHtml(one, `${before}.${one.name}`, words)).join('')}</ul>`

/** Without an id it is described elsewhere, at its `href`. */
function fieldHtml({ name, schema, mark, fields, href }, id, words, data = '') {
  const values = valuesOf(schema)
  const within =
    fields.length > 0
      ? `<details><summary>${fields.length} fields within</summary>${fieldsHtml(fields, id, words)}</details>`
      : ''
  return `<li${id && ` id="${escape(id)}"`}${data && ` ${data}`}><p><a class="name" href="${href ?? `#${encodeURI(id)}`}">${escape(name)}</a> <span class="type">${typeOf(schema, words)}</span>${mark && ` <span class="mark">${mark}</span>`}</p>${
    schema.description ? `<p>${inline(schema.description)}</p>` : ''
  }${values.length > 0 ? `<p class="values">${values.map((one) => `<code>${escape(String(one))}</code>`).join(' ')}</p>` : ''}${within}</li>`
}

function answersHtml({ answers, errors }, from, words) {
  const good = answers.map(
    ({ status, about = '', schema, type }) =>
      `<tr><td>${status}</td><td>${inline(about)} ${schema && Object.keys(schema).length > 0 ? typeOf(schema, words) : type ? `<code>${type}</code>` : ''}</td></tr>`,
  )
  const bad = errors.map(({ status, codes }) => {
    const links = codes.map((code) => `<a href="${relative(from, 'errors', code)}"><code>${code}</code></a>`)
    return `<tr><td>${status}</td><td>${links.join(' ')}</td></tr>`
  })
  return `<h3>Answers</h3><table class="answers"><tbody>${good.join('')}</tbody></table>${
    bad.length > 0
      ? `<details><summary>${bad.length} errors</summary><table class="answers"><tbody>${bad.join('')}</tbody></table></details>`
      : ''
  }`
}

function samplesHtml(operation) {
  const samples = samplesOf(operation)
  const name = `sample-${operation.id}`
  const tabs = samples.map(
    ({ title }, index) =>
      `<input type="radio" name="${name}" id="${name}-${index}" value="${title}"${index === 0 ? ' checked' : ''}><label for="${name}-${index}">${title}</label>`,
  )
  const codes = samples.map(({ code, language }) => codeBlock(code, language))
  return `<fieldset class="samples"><legend>Request</legend>${tabs.join('')}${codes.join('')}</fieldset>`
}

function answerExampleHtml(answers) {
  const { status, example, type } = answers.findLast((one) => one.example !== undefined) ?? {}
  if (example === undefined) return ''
  const text = typeof example === 'string' ? example : JSON.stringify(example, null, 2)
  return `<p class="label">Answer ${status}</p>${codeBlock(text, type === 'application/json' ? 'json' : '', 'answer')}`
}

function sharedParameterHtml(name, { in: place, schema, description = '', name: title }, words) {
  const field = { name: title, schema: { ...schema, description }, mark: place, fields: [] }
  return `<ul class="fields">${fieldHtml(field, `parameter.${name}`, words)}</ul>`
}

function shapeHtml(name, schema, words) {
  const fields = fieldsOf(schema)
  const values = valuesOf(schema)
  return `<section class="shape" id="${name}"><h3>${name} ${anchor(name, name)}</h3>${paragraphs(schema.description ?? '')}
${fields.length > 0 ? fieldsHtml(fields, name, words) : `<p>${typeOf(schema, words)}</p>`}${
  values.length > 0
    ? `<p class="values">${values.map((one) => `<code>${escape(String(one))}</code>`).join(' ')}</p>`
    : ''
}</section>`
}
