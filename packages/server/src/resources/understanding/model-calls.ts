// `GET /extractions/model-calls`: what asking models cost, call by call, newest first.
import { type ModelCall, modelCall, modelCallParameters } from '@parley/contract'
import { sql } from '../../database/sql.js'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { timeOf } from '../../store/id.js'
import { countRows } from '../../store/list-reader.js'
import type { Reader } from '../../store/reader.js'
import { askedFor, pageSchema, typedPage } from '../generic/list.js'
import { scan, scanNote } from '../generic/scan.js'

interface CallRow extends Record<string, unknown> {
  readonly id: string
  readonly connection_id: string
  readonly model: string
  readonly subject_kind: ModelCall['source']
  readonly subject_id: string
  readonly prompt_tokens: number | null
  readonly completion_tokens: number | null
  readonly cost: number | null
  readonly duration_ms: number
  readonly failure: string | null
  readonly dropped_quotes: number
  readonly dropped_types: number
  readonly dropped_keys: number
}

async function readCalls(
  { database, tenantId }: Reader,
  below: string | undefined,
  limit: number,
): Promise<ModelCall[]> {
  const rows = await database.query<CallRow>(
    sql`select id, connection_id, model, subject_kind, subject_id, prompt_tokens, completion_tokens, cost, duration_ms,
        failure, dropped_quotes, dropped_types, dropped_keys
      from model_calls where tenant_id = ${tenantId}::uuid
        ${below === undefined ? sql`` : sql`and id < ${below}::uuid`}
      order by id desc limit ${limit}`,
  )
  return rows.map(toCall)
}

const toCall = (row: CallRow): ModelCall => ({
  id: row.id,
  connectionId: row.connection_id,
  model: row.model,
  source: row.subject_kind,
  subject: subjectOf(row),
  promptTokens: row.prompt_tokens,
  completionTokens: row.completion_tokens,
  cost: row.cost,
  durationMs: row.duration_ms,
  failure: row.failure,
  dropped: { quotes: row.dropped_quotes, types: row.dropped_types, keys: row.dropped_keys },
  createdAt: timeOf(row.id).toISOString(),
})

/** Words that no record was made of were kept under the connection. */
const subjectOf = ({ subject_kind, subject_id, connection_id }: CallRow): ModelCall['subject'] =>
  subject_id === connection_id ? null : { entityType: subject_kind === 'call' ? 'call' : 'message', id: subject_id }

const searchedValues = ({ model, source, failure }: ModelCall): string[] => [model, source, failure ?? '']

const listModelCalls: Endpoint = endpoint({
  method: 'GET',
  path: '/extractions/model-calls',
  scope: 'ADMIN',
  operationId: 'listModelCalls',
  summary: 'List what asking models cost, newest first',
  description: `Each time that the organization's model was asked: tokens, cost, duration, and what of its
    answer was used. Kept as long as events. ${scanNote}`,
  tag: 'Extraction',
  query: modelCallParameters,
  returns: { status: 200, schema: pageSchema(modelCall) },
  handle(input) {
    const { read } = input
    const { q } = askedFor(input)
    const plain = (below: string | undefined, limit: number) => readCalls(read, below, limit)
    const all = () => countRows(read.database, sql`from model_calls where tenant_id = ${read.tenantId}`)
    const { find, count } = q === undefined ? { find: plain, count: all } : scan(q, searchedValues, plain)
    return typedPage(input, 'model-calls', { find, count, idOf: ({ id }) => id }, (call) => call)
  },
})

export const modelCallEndpoints: Endpoint[] = [listModelCalls]
