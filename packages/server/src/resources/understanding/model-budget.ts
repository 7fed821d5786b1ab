// The tokens of a month: reserved before a model is asked, corrected when it has told what it took, and kept with each
// call.
import type { Database } from '../../database/pool.js'
import { sql } from '../../database/sql.js'
import type { ModelUsage } from '../../extraction/model/ask-model.js'
import type { Dropped } from '../../extraction/model/model-answer.js'
import { newId } from '../../store/id.js'

export interface BudgetOf {
  readonly tenantId: string
  readonly connectionId: string
  /** Such as `2026-03`, in UTC. */
  readonly month: string
}

export const monthOf = (now: Date): string => now.toISOString().slice(0, 7)

/** False when the month's budget does not allow so many more; without a budget it always does. */
export async function reserveTokens(
  database: Database,
  { tenantId, connectionId, month }: BudgetOf,
  tokens: number,
  budget: number | undefined,
): Promise<boolean> {
  const most = budget ?? Number.MAX_SAFE_INTEGER
  if (tokens > most) return false
  const rows = await database.query(
    sql`insert into model_budgets as b (tenant_id, connection_id, month, tokens)
      values (${tenantId}, ${connectionId}, ${month}, ${tokens}::bigint)
      on conflict (tenant_id, connection_id, month) do update set tokens = b.tokens + excluded.tokens
        where b.tokens + excluded.tokens <= ${most}::bigint
      returning 1`,
  )
  return rows.length > 0
}

export interface ModelCall extends ModelUsage {
  readonly model: string
  readonly subjectKind: string
  readonly subjectId: string
  readonly durationMs: number
  readonly failure: string | null
  readonly dropped: Dropped
}

/** Keeps what a call cost, and gives back what was reserved and not used. An endpoint that does not count keeps it. */
export async function keepModelCall(
  database: Database,
  budget: BudgetOf,
  reserved: number,
  call: ModelCall,
  now: Date,
): Promise<void> {
  const { tenantId, connectionId, month } = budget
  const { promptTokens, completionTokens, cost, dropped } = call
  const isCounted = promptTokens !== null || completionTokens !== null
  const used = isCounted ? (promptTokens ?? 0) + (completionTokens ?? 0) : reserved
  await database.query(
    sql`with spent as (
        update model_budgets set tokens = greatest(0, tokens + ${used - reserved}::bigint)
        where tenant_id = ${tenantId} and connection_id = ${connectionId} and month = ${month}
      )
      insert into model_calls (tenant_id, id, connection_id, model, subject_kind, subject_id, prompt_tokens,
        completion_tokens, cost, duration_ms, failure, dropped_quotes, dropped_types, dropped_keys)
      values (${tenantId}, ${newId(now)}, ${connectionId}, ${call.model}, ${call.subjectKind}, ${call.subjectId},
        ${promptTokens}, ${completionTokens}, ${cost}, ${Math.round(call.durationMs)}, ${call.failure},
        ${dropped.quote}, ${dropped.type}, ${dropped.key})`,
  )
}
