// The organization's own model as the extractor. Whatever is wrong with it, slow, down, over its budget or lying, the
// rules stand in, and what they propose says why.
import { integrationConnections, type Row } from '@parley/contract'
import { askModel, type ModelEndpoint } from '../../extraction/model/ask-model.js'
import { type CheckedAnswer, checkAnswer } from '../../extraction/model/model-answer.js'
import { estimatedTokens, modelRequest } from '../../extraction/model/model-request.js'
import type { Conversation, Understanding } from '../../extraction/understanding.js'
import { allowedModelUrl, MODEL_PROVIDER } from '../../providers/openai-compatible/model-url.js'
import type { Reader } from '../../store/reader.js'
import type { Sealer } from '../../store/secret-box.js'
import { type BudgetOf, keepModelCall, monthOf, reserveTokens } from './model-budget.js'
import type { Spoken } from './spoken.js'

type Connection = Row<typeof integrationConnections>

const TIMEOUT_MS = 20_000
const TIMEOUT_MAX_MS = 60_000
const usable: readonly Connection['status'][] = ['active', 'pending']

export interface ModelParts {
  readonly sealer: Sealer
  /** The addresses that the operator allows. */
  readonly modelUrls: readonly string[]
  readonly clock: () => Date
}

/** What the model makes of it, else what the rules made, with the reason. */
export async function extractByModel(
  parts: ModelParts,
  read: Reader,
  conversation: Conversation,
  spoken: Spoken,
  byRules: Understanding,
): Promise<Understanding> {
  const fallback = (fallbackReason: string): Understanding => ({ ...byRules, fallbackReason })
  const connection = await modelConnection(read)
  if (connection === undefined) return fallback('no connection to a model is active')
  const endpoint = await endpointOf(parts, read, connection)
  if (typeof endpoint === 'string') return fallback(endpoint)
  const answer = await askWithinBudget(parts, read, connection, endpoint, conversation, spoken)
  if (typeof answer === 'string') return fallback(answer)
  return completed(answer.understanding, byRules, conversation)
}

async function modelConnection(read: Reader): Promise<Connection | undefined> {
  const known = await read.find(integrationConnections, { provider: MODEL_PROVIDER }, 20)
  return known.findLast(({ status }) => usable.includes(status))
}

/** Where and with which key to ask; a text says why not. */
async function endpointOf(
  { sealer, modelUrls }: ModelParts,
  read: Reader,
  connection: Connection,
): Promise<ModelEndpoint | string> {
  const { id, config } = connection
  const { timeoutMs } = config
  const baseUrl = allowedModelUrl(connection, modelUrls)
  if (baseUrl === undefined) return 'the operator does not allow the model’s address'
  const sealed = await read.sealed(integrationConnections, id)
  const credentials: { apiKey?: unknown } | null = sealed ? JSON.parse(sealer.open(sealed)) : null
  if (typeof credentials?.apiKey !== 'string') return 'the connection to the model has no key'
  const withinMs = typeof timeoutMs === 'number' ? Math.min(timeoutMs, TIMEOUT_MAX_MS) : TIMEOUT_MS
  return { baseUrl, apiKey: credentials.apiKey, timeoutMs: withinMs }
}

async function askWithinBudget(
  { clock }: ModelParts,
  { database, tenantId }: Reader,
  { id: connectionId, config }: Connection,
  endpoint: ModelEndpoint,
  conversation: Conversation,
  { source, callId, messageId }: Spoken,
): Promise<CheckedAnswer | string> {
  const model = String(config['model'])
  const request = modelRequest(model, conversation)
  const reserved = estimatedTokens(request)
  const budget: BudgetOf = { tenantId, connectionId, month: monthOf(clock()) }
  const most = typeof config['monthlyTokenBudget'] === 'number' ? config['monthlyTokenBudget'] : undefined
  if (!(await reserveTokens(database, budget, reserved, most))) return 'the model’s budget of this month is spent'
  const beganMs = performance.now()
  const reply = await askModel(endpoint, request)
  const checked = reply.ok ? checkAnswer(reply.answer, conversation, model) : undefined
  const failure = reply.ok
    ? checked
      ? null
      : 'the model’s answer is not of the shape that was asked for'
    : reply.reason
  const call = {
    ...reply.usage,
    model,
    subjectKind: source,
    subjectId: callId ?? messageId ?? connectionId,
    durationMs: performance.now() - beganMs,
    failure,
    dropped: checked?.dropped ?? { quote: 0, type: 0, key: 0 },
  }
  await keepModelCall(database, budget, reserved, call, clock())
  return checked ?? failure ?? ''
}

/** What the model is not asked for comes from the rules: the mentions, and the fields of a kind of work. */
function completed(
  found: CheckedAnswer['understanding'],
  byRules: Understanding,
  { vocabulary }: Conversation,
): Understanding {
  const isFact = new Set(byRules.facts.map(({ key }) => key))
  const ofWork = byRules.fields.filter(({ key }) => !isFact.has(key) && !found.facts.some((one) => one.key === key))
  const fields = [...found.facts, ...ofWork]
  const canonicalKind = found.canonicalKind ?? byRules.canonicalKind
  const type = vocabulary.workTypes.find((one) => one.canonicalKind === (canonicalKind ?? 'service_request'))
  const missingFields = (type?.requiredFields ?? []).filter((name) => !fields.some(({ key }) => key === name))
  const [title, summary] = [found.title ?? byRules.title, found.summary ?? byRules.summary]
  const { mentions, denied } = byRules
  return { ...found, canonicalKind, fields, missingFields, title, summary, mentions, denied }
}
