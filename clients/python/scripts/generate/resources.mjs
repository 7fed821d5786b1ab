// src/parley/_async/resources.py: every endpoint as a method of its resource, the first part of its path.
import { method } from './methods.mjs'
import { operationOf } from './operations.mjs'
import { answered, docstring, pascal, snake } from './schema.mjs'

/** Methods of the client itself. */
const onClient = new Set(['schema', 'search', 'stats', 'openapi.json', 'openapi-3.0.json'])

export function resourcesFile(document) {
  const open = answered(document)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, operation]) => operationOf(document, path, name, operation, open)),
  )
  const slugs = [...new Set(operations.map(({ slug }) => slug))].filter((slug) => !onClient.has(slug))
  const resources = slugs.map((slug) => {
    const own = operations.filter((one) => one.slug === slug)
    return { slug, own, about: aboutOf(document, own[0]) }
  })
  const direct = operations.filter(({ slug }) => onClient.has(slug))
  return [head, ...resources.map(resourceClass), client(resources), ...direct.map(method)].join('')
}

const resourceClass = ({ slug, own, about }) =>
  `\n\nclass Async${pascal(slug)}(_Resource):\n${docstring(about, '    ')}${own.map(method).join('')}`

const client = (resources) => `

class AsyncResources(_Resource):
    """Every resource of the service."""

    def __init__(self, transport: AsyncTransport) -> None:
        super().__init__(transport)
${resources.map(property).join('')}`

const property = ({ slug, about }) =>
  `        self.${snake(slug)} = Async${pascal(slug)}(transport)\n${docstring(about, '        ')}`

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

function aboutOf(document, { tag, slug }) {
  const words = document.tags.find(({ name }) => name === tag)?.description ?? tag
  // Where nobody wrote any, the description lists the endpoints, which the methods do as well.
  return words.length > 120 ? `${tag}: \`/${slug}\`.` : words
}
