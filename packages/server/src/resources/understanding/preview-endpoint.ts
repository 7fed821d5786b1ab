// `POST /extractions/preview`: what the extractor would make of a conversation. Nothing is stored. For people who tune
// their definitions, and for measuring.
import { type ExtractionPreview, extractionPreview, extractionPreviewBody, limits } from '@parley/contract'
import { extractByRules } from '../../extraction/rules/extract-by-rules.js'
import type { Understanding } from '../../extraction/understanding.js'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { ApiError, badRequest } from '../../store/api-error.js'
import { json } from '../../store/response.js'
import { listen } from './listen.js'
import { speechContextOf, vocabularyOf } from './vocabulary.js'

/** A preview costs CPU, so those of one tenant wait for each other, and not in any number. */
const WAITING_MAX = 20
const waiting = new Map<string, { count: number; last: Promise<unknown> }>()

async function inTurn<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
  const queue = waiting.get(tenantId) ?? { count: 0, last: Promise.resolve() }
  if (queue.count >= WAITING_MAX)
    throw new ApiError('rate_limited', 'Too many previews of this organization are under way; wait for some to end')
  const turn = queue.last.then(work)
  const settled = turn.then(
    () => undefined,
    () => undefined,
  )
  const entry = { count: queue.count + 1, last: settled }
  waiting.set(tenantId, entry)
  await settled
  const now = waiting.get(tenantId)
  if (now && now.count > 1) waiting.set(tenantId, { ...now, count: now.count - 1 })
  else waiting.delete(tenantId)
  return turn
}

export const previewOf = (understanding: Understanding): ExtractionPreview => {
  const { extractor, fallbackReason, mentions, facts, signals, canonicalKind, fields, title, summary } = understanding
  const missingFields = [...understanding.missingFields]
  return {
    extractor,
    fallbackReason,
    mentions: mentions.map(({ kind, segmentIndex, start, end, quote, value }) => ({
      kind,
      segmentIndex,
      start,
      end,
      quote,
      value,
    })),
    facts: facts.map((fact) => ({ ...fact, evidence: [...fact.evidence] })),
    signals: signals.map((signal) => ({ ...signal, evidence: [...signal.evidence] })),
    draft: {
      canonicalKind,
      title,
      summary,
      fields: fields.map((field) => ({ ...field, evidence: [...field.evidence] })),
      missingFields,
      isComplete: missingFields.length === 0,
    },
    summary,
  }
}

const preview: Endpoint = endpoint({
  method: 'POST',
  path: '/extractions/preview',
  scope: 'READ',
  operationId: 'previewExtraction',
  summary: 'See what the extractor finds in a conversation',
  description:
    'By the organization’s definitions, as they are now, and by the built-in rules. ' +
    'Nothing is stored and nobody is told.',
  tag: 'Extraction',
  body: extractionPreviewBody,
  idempotent: false,
  returns: { status: 200, schema: extractionPreview },
  async handle({ work, caller, body, now }) {
    const { segments, startedAt, timeZone } = body
    requireShort(segments)
    requireZone(timeZone)
    const begun = startedAt === undefined ? now : new Date(startedAt)
    const [vocabulary, context] = await Promise.all([
      vocabularyOf(work),
      speechContextOf(work, caller, begun, timeZone),
    ])
    const understanding = await inTurn(caller.tenantId, async () =>
      extractByRules({ segments, context, vocabulary, mentions: await listen(segments, context) }),
    )
    return json(200, previewOf(understanding))
  },
})

function requireShort(segments: readonly { text: string }[]): void {
  const characters = segments.reduce((sum, { text }) => sum + text.length, 0)
  if (characters > limits.previewCharacters)
    throw badRequest('segments', `must have at most ${limits.previewCharacters} characters in all`, 'size')
}

function requireZone(timeZone: string | undefined): void {
  if (timeZone === undefined) return
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw badRequest('timeZone', 'must be an IANA time zone, for example Europe/Berlin', 'timezone')
  }
}

export const previewEndpoints: Endpoint[] = [preview]
