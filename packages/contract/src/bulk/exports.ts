// What an export takes besides the filters of its list, and how its cells are written.
import { type Entity, recordSchema } from '../entity.js'
import { oneOf, propertiesOf, typeOf } from '../field.js'
import type { Parameters } from '../query.js'

export const exportFormats = ['ndjson', 'csv'] as const

export const exportParameters = {
  format: {
    schema: oneOf(exportFormats),
    description:
      '`ndjson` (default): one JSON object a line; `csv`: with a line of column names, lists and objects as JSON',
  },
  quoteFormulas: {
    schema: { type: 'boolean' },
    description: [
      'For CSV that people open in a spreadsheet: cells that begin with `=`, `+`, `-`, `@`, a tab or a carriage return',
      "get a `'` in front, so that none is run as a formula",
    ].join(' '),
  },
} satisfies Parameters

/** The columns of a CSV file: a field each; `:json` is added to the names of those that hold lists and objects. */
export const csvColumns = (entity: Entity): { name: string; field: string }[] =>
  Object.entries(propertiesOf(recordSchema(entity)) ?? {}).map(([field, schema]) => ({
    field,
    name: ['array', 'object', undefined].includes(typeOf(schema)) ? `${field}:json` : field,
  }))
