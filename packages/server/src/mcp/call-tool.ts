// Runs a tool and tells what came of it: records with their words set apart, or why not, in the words of the API.
import { isObject, itemsOf, propertiesOf } from '@parley/contract'
import { bodyShaper, type Locale } from '../http/body-validation.js'
import { ApiError } from '../store/api-error.js'
import type { ApiAnswer, ApiRequest, Ask } from './api-request.js'
import { NOTICE, withQuotes } from './quoted.js'
import { type Agent, type Tool, whyRefused } from './tool.js'

export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
  readonly isError?: true
}

export async function callTool(tool: Tool, given: unknown, agent: Agent & Locale, ask: Ask): Promise<ToolResult> {
  const refusal = whyRefused(tool, agent)
  if (refusal !== undefined) return failed({ code: 'forbidden', message: refusal })
  try {
    const plan = tool.plan(bodyShaper(tool.input)(given, agent) ?? {})
    if ('known' in plan) return done({ record: plan.known })
    const answer = await ask(plan)
    return answer.status < 400 ? done(shown(plan, answer)) : failed(errorOf(answer))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return failed({ code: error.code, message: error.message, details: error.details })
  }
}

function done(result: Readonly<Record<string, unknown>>): ToolResult {
  const text = JSON.stringify(result)
  const structuredContent = text.includes('"quoted":') ? { notice: NOTICE, ...result } : result
  return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
}

const failed = (error: unknown): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify({ error }) }],
  isError: true,
})

function errorOf({ status, body, retryAfter }: ApiAnswer): Record<string, unknown> {
  const { error, meta } = isObject(body) ? body : {}
  const known = isObject(error) ? error : { code: 'internal_error', message: `The API answered ${status}` }
  const requestId = isObject(meta) ? meta['requestId'] : undefined
  return { ...known, ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }), requestId }
}

/** A page as `records` with the cursor of the next, anything else as `record`. */
function shown({ endpoint, query = {} }: ApiRequest, { body }: ApiAnswer): Record<string, unknown> {
  const { schema } = endpoint.returns
  const data = isObject(body) ? body['data'] : undefined
  if (!Array.isArray(data)) return { record: withQuotes(body ?? {}, schema) }
  const items = schema && propertiesOf(schema)?.['data']
  const records = data.map((one) => withQuotes(one, (items && itemsOf(items)) ?? null))
  const nextCursor = cursorOf(body) ?? segmentAfter(data, query)
  return { records, ...(nextCursor !== undefined && { nextCursor }) }
}

function cursorOf(body: unknown): string | undefined {
  const pagination = isObject(body) ? body['pagination'] : undefined
  const cursor = isObject(pagination) ? pagination['nextCursor'] : undefined
  return typeof cursor === 'string' ? cursor : undefined
}

/** A transcript goes on after the last segment of a full page. */
function segmentAfter(data: readonly unknown[], { limit }: Readonly<Record<string, unknown>>): string | undefined {
  const last = data.at(-1)
  return isObject(last) && typeof last['sequence'] === 'number' && data.length === limit
    ? String(last['sequence'])
    : undefined
}
