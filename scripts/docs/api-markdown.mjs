// The same page of the reference as Markdown, for machines and for those who read so.
import { markdownOf, relative } from './links.mjs'
import { samplesOf } from './samples.mjs'
import { fieldsOf, flatFields, typeOf, valuesOf } from './schema-words.mjs'

export function apiMarkdown(page, { homes, schemas }) {
  const words = {
    text: (text) => text,
    code: (text) => `\`${text}\``,
    link: (name) => `[${name}](${toMarkdown(page.path, homes.get(name))})`,
  }
  return `${[
    `# ${page.title}`,
    page.description,
    ...page.operations.flatMap((one) => operationMarkdown(one, { words, schemas })),
    ...(page.parameters.length > 0
      ? ['## Parameters of many operations', page.parameters.map(([, one]) => parameterLine(one, words)).join('\n')]
      : []),
    ...page.shapes.flatMap((name) => [`## ${name}`, shapeMarkdown(schemas[name], words)]),
  ]
    .filter(Boolean)
    .join('\n\n')}\n`
}

function toMarkdown(from, { page, id }) {
  if (page === from) return `#${id.toLowerCase()}`
  return relative(from, markdownOf(page), page === 'events' ? id.replace('.', '') : id.toLowerCase())
}

function operationMarkdown(operation, { words, schemas }) {
  const { method, path, summary, description, parameters, body, answers, errors } = operation
  const [{ code }] = samplesOf(operation)
  const shape = body?.schema.$ref ? schemas[body.schema.$ref.split('/').at(-1)] : body?.schema
  const example = answers.findLast((one) => one.example !== undefined)?.example
  return [
    `## ${summary}`,
    `\`${method} /api/v1${path}\``,
    description,
    parameters.length > 0 ? `Parameters:\n\n${parameters.map((one) => parameterLine(one, words)).join('\n')}` : '',
    body ? `Body (\`${body.type}\`). ${body.about}\n\n${shapeMarkdown(shape, words)}` : '',
    `Answers:\n\n${answers.map(({ status, about, schema }) => `- ${status}: ${about} ${schema && Object.keys(schema).length > 0 ? typeOf(schema, words) : ''}`.trimEnd()).join('\n')}`,
    errors.length > 0
      ? `Errors: ${errors.flatMap(({ status, codes }) => codes.map((code) => `${status} \`${code}\``)).join(', ')}.`
      : '',
    `\`\`\`sh\n${code}\n\`\`\``,
    example === undefined
      ? ''
      : `\`\`\`json\n${typeof example === 'string' ? example : JSON.stringify(example, null, 2)}\n\`\`\``,
  ]
}

const parameterLine = ({ name, in: place, schema, required, description = '' }, words) =>
  line(name, `${place}, ${typeOf(schema, words)}${required ? ', required' : ''}`, description, valuesOf(schema))

function shapeMarkdown(schema, words) {
  const fields = flatFields(fieldsOf(schema))
  if (fields.length === 0) return [typeOf(schema, words), ...valuesOf(schema).map((one) => `\`${one}\``)].join(' ')
  return fields
    .map(({ path, schema: field, mark }) =>
      line(path, typeOf(field, words) + (mark && `, ${mark}`), field.description ?? '', valuesOf(field)),
    )
    .join('\n')
}

const line = (name, type, description, values) =>
  `- \`${name}\` (${type}): ${description.replaceAll('\n', ' ')}${
    values.length > 0 ? ` One of ${values.map((one) => `\`${one}\``).join(', ')}.` : ''
  }`
