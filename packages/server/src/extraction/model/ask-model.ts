// Asks an OpenAI-compatible endpoint, once, within a time: no redirects, a bounded answer, and every way in which it
// can fail is a reason in plain words.

export interface ModelEndpoint {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly timeoutMs: number
}

export interface ModelUsage {
  readonly promptTokens: number | null
  readonly completionTokens: number | null
  /** In the currency of the endpoint, where it says so. */
  readonly cost: number | null
}

export type ModelReply =
  | { readonly ok: true; readonly answer: unknown; readonly usage: ModelUsage }
  | { readonly ok: false; readonly reason: string; readonly usage: ModelUsage }

const ANSWER_BYTES_MAX = 1024 * 1024
/** What is kept of a count; nobody takes so many. */
const TOKENS_MAX = 2_147_483_647
const noUsage: ModelUsage = { promptTokens: null, completionTokens: null, cost: null }
const failed = (reason: string, usage = noUsage): ModelReply => ({ ok: false, reason, usage })

export async function askModel(endpoint: ModelEndpoint, request: object, stopping?: AbortSignal): Promise<ModelReply> {
  const timeout = AbortSignal.timeout(endpoint.timeoutMs)
  const signal = stopping ? AbortSignal.any([timeout, stopping]) : timeout
  try {
    const response = await fetch(`${endpoint.baseUrl}/chat/completions`, {
      method: 'POST',
      redirect: 'manual',
      headers: { authorization: `Bearer ${endpoint.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal,
    })
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel()
      return failed('the model answered with a redirect, which is not followed')
    }
    const text = await bounded(response)
    if (text === undefined) return failed('the model answered with more than 1 MiB')
    return response.ok ? replyIn(text) : failed(`the model answered ${response.status}`)
  } catch (error) {
    if (timeout.aborted) return failed(`the model did not answer within ${endpoint.timeoutMs} ms`)
    return failed(`the model could not be reached: ${reasonOf(error)}`)
  }
}

const reasonOf = (error: unknown): string => {
  const { cause, message } = error as Error & { cause?: { code?: string } }
  return cause?.code ?? message
}

async function bounded(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function replyIn(text: string): ModelReply {
  const body = parsed(text)
  const usage = usageIn(body)
  const content = contentIn(body)
  const answer = typeof content === 'string' ? parsed(content) : undefined
  return answer === undefined ? failed('the model’s answer is not JSON', usage) : { ok: true, answer, usage }
}

function usageIn(body: unknown): ModelUsage {
  const usage = field(body, 'usage')
  const amount = (name: string) => {
    const value = field(usage, name)
    return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null
  }
  const tokens = (name: string) => {
    const value = amount(name)
    return value === null ? null : Math.min(Math.ceil(value), TOKENS_MAX)
  }
  return { promptTokens: tokens('prompt_tokens'), completionTokens: tokens('completion_tokens'), cost: amount('cost') }
}

function contentIn(body: unknown): unknown {
  const choices = field(body, 'choices')
  return field(field(Array.isArray(choices) ? choices[0] : undefined, 'message'), 'content')
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
