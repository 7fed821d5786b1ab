// What a request sends besides its body, checked against what its endpoint takes: path, query, versions.
import { isObject } from '@parley/contract'
import type { FastifyRequest } from 'fastify'
import { badRequest, notFound } from '../store/api-error.js'
import { type Locale, shapeQueryValue } from './body-validation.js'
import type { Endpoint, QueryParameter } from './endpoint.js'
import { uuidPattern } from './wire-formats.js'

export function pathParameters({ plainParams = [] }: Endpoint, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>
  for (const [name, value] of Object.entries(params)) {
    if (!plainParams.includes(name)) {
      if (!uuidPattern.test(value)) throw notFound()
      params[name] = value.toLowerCase()
    }
  }
  return params
}

type Parameters = Readonly<Record<string, QueryParameter>>

const noParameters: Parameters = {}

export function shapeQuery(
  parameters: Parameters = noParameters,
  sent: Record<string, unknown>,
  locale: Locale,
): Record<string, unknown> {
  const shaped: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(sent)) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (parameter === undefined) throw badRequest(name, 'is not a known query parameter', 'unknown_parameter')
    if (typeof value !== 'string') throw badRequest(name, 'must be given once', 'query')
    shaped[name] = shapeQueryValue(name, parameter, value, locale)
  }
  for (const name of requiredIn(parameters))
    if (shaped[name] === undefined) throw badRequest(name, 'is required', 'required')
  return shaped
}

/** Most endpoints take many parameters and require none. */
function requiredIn(parameters: Parameters): readonly string[] {
  const known = requiredOf.get(parameters)
  if (known) return known
  const names = Object.keys(parameters).filter((name) => parameters[name]?.required)
  requiredOf.set(parameters, names)
  return names
}

const requiredOf = new WeakMap<Parameters, readonly string[]>()

export function refuseBody({ body }: Endpoint, sent: unknown): Record<string, unknown> {
  const isEmpty = sent === undefined || (isObject(sent) && Object.keys(sent).length === 0)
  if (body === undefined && !isEmpty) throw badRequest('', 'This takes no body', 'body')
  return {}
}

/**
 * The versions an `If-Match` accepts; undefined when it is absent or takes any. What is no version of ours matches
 * nothing.
 */
export function versionsOf(header: string | undefined): number[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined
  return header.split(',').map((tag) => {
    const match = /^(?:W\/)?"?(\d{1,15})"?$/.exec(tag.trim())
    return match ? Number(match[1]) : -1
  })
}
