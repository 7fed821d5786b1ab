// src/parley/models.py: every named schema as a TypedDict, with the documentation of each field.
import { answered, docstring, isKeyword, refName, text, typeOf } from './schema.mjs'

export function modelsFile(document) {
  const open = answered(document)
  const schemas = Object.entries(document.components.schemas)
  const events = Object.values(document.webhooks).map(({ post }) =>
    refName(post.requestBody.content['application/json'].schema),
  )
  return [
    head,
    ...schemas.map(([name, schema]) => model(name, schema, !open.has(name))),
    `Event = Union[\n${events.map((name) => `    ${name},\n`).join('')}]\n`,
    docstring('An event as it is delivered, logged and streamed: `event["type"] == "…"` narrows `event["data"]`.', ''),
  ].join('\n')
}

const head = `"""What is sent and answered, as the service documents it. Times are RFC 3339 text."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Any, Dict, List, Literal, Sequence, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired
`

function model(name, schema, isSent) {
  if (schema.type !== 'object') return alias(name, schema, isSent)
  const fields = Object.entries(schema.properties ?? {})
  if (fields.length === 0) return `${name} = Dict[str, Any]\n${docs(schema, '')}`
  const required = new Set(schema.required ?? [])
  const typed = ([field, { ...rest }]) => {
    const type = typeOf(rest, isSent)
    return required.has(field) ? type : `NotRequired[${type}]`
  }
  const named = fields.filter(([field]) => isKeyword(field))
  const base = named.length > 0 ? `_${name}` : 'TypedDict'
  // A class cannot have a field called `from`; a call can.
  const before = named.length
    ? `_${name} = TypedDict("_${name}", {${named.map((one) => `${text(one[0])}: ${quoted(typed(one))}`).join(', ')}})\n\n\n`
    : ''
  const own = fields.filter(([field]) => !isKeyword(field))
  const lines = own.map((one) => `    ${one[0]}: ${typed(one)}\n${docs(one[1], '    ')}`)
  return `${before}\nclass ${name}(${base}):\n${docs(schema, '    ')}${lines.join('') || '    pass\n'}`
}

const quoted = (type) => text(type).replaceAll('\\"', "'")

const alias = (name, schema, isSent) => `${name} = Union[${typeOf(schema, isSent).replaceAll(' | ', ', ')}]\n`

const docs = ({ description }, indent) => (description ? docstring(description, indent) : '')
