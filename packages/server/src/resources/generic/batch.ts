// `POST /{entity}/batch`: many writes of one entity in one request and one commit, each through the handler of the
// single request. One that fails leaves nothing behind and does not harm the others, unless all shall stand together.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type BatchItem, batchBody, batchResults, type Entity, type ExternalRef, limits } from '@parley/contract'
import { bodyShaper, type Shaper } from '../../http/body-validation.js'
import { type Endpoint, endpoint, handleWrite, type Input } from '../../http/endpoint.js'
import { ApiError, badRequest } from '../../store/api-error.js'
import { finding } from '../../store/reader.js'
import type { Answer } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { findByRefs, findRef, refLookups } from './external-ref-rows.js'

/** How the items of an entity are written. */
export interface BatchTarget {
  readonly entity: Entity
  readonly create: Endpoint
  readonly patch: Endpoint
}

export type ItemResult =
  | { readonly status: number; readonly record: string }
  | { readonly status: number; readonly error: ApiError }

const plural = (slug: string): string => slug.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())

export function batchEndpoint(target: BatchTarget): Endpoint {
  const { entity, create } = target
  return endpoint({
    method: 'POST',
    path: `/${entity.slug}/batch`,
    scope: entity.writeScope,
    ...(create.raisedScope && { raisedScope: create.raisedScope }),
    operationId: `batch${plural(entity.slug)}`,
    summary: `Create and update many ${entity.label.toLowerCase()}`,
    description:
      `Up to ${limits.batchItems} items under one Idempotency-Key. Each is answered as the single request would be; ` +
      'one that fails does not harm the others, unless `atomic` is true. Items of one batch that change the same ' +
      'record make one version of it.',
    tag: entity.label,
    bodyBytes: limits.batchBytes,
    itemsIn: ({ items }) => (Array.isArray(items) ? items.length : 0),
    body: batchBody,
    returns: { status: 200, schema: batchResults(entity) },
    async handle(input) {
      const { items, atomic } = input.body
      if (items.length === 0) throw badRequest('items', 'must have at least 1 item', 'minItems')
      const results = await runItems(target, input, items)
      if (atomic) requireAll(results)
      const meta = JSON.stringify({ requestId: input.requestId })
      return { status: 200, body: `{"data":[${results.map(resultText).join(',')}],"meta":${meta}}` }
    },
  })
}

function requireAll(results: readonly ItemResult[]): void {
  const items = results.flatMap((result, index) =>
    'error' in result ? [{ index, status: result.status, error: errorOf(result.error) }] : [],
  )
  if (items.length > 0)
    throw new ApiError('batch_failed', `${items.length} of ${results.length} items failed; nothing was written`, {
      items,
    })
}

const errorOf = ({ code, message, details }: ApiError) => ({ code, message, ...(details !== undefined && { details }) })

const resultText = (result: ItemResult): string =>
  'error' in result
    ? JSON.stringify({ status: result.status, error: errorOf(result.error) })
    : `{"status":${result.status},"record":${result.record}}`

/** After so many items others get a turn of the event loop. */
const TURN = 20

/** Runs each item in its order, in one work. What they look up is fetched for all of them at once before. */
export async function runItems(
  target: BatchTarget,
  input: Omit<Input, 'body' | 'params' | 'ifMatch'>,
  items: readonly BatchItem[],
): Promise<ItemResult[]> {
  await fetchAhead(target, input, items)
  const results: ItemResult[] = []
  for (const item of items) {
    results.push(await runApart(target, input, item))
    if (results.length % TURN === 0) await nextTurn()
  }
  return results
}

/** Runs an item so that its failure leaves nothing behind. One that another request may have caused is tried again. */
async function runApart(
  target: BatchTarget,
  input: Omit<Input, 'body' | 'params' | 'ifMatch'>,
  item: BatchItem,
  isSecond = false,
): Promise<ItemResult> {
  const { change } = input.work
  const saved = change.saved()
  try {
    const { status, body } = await runItem(target, input, item)
    return { status, record: body ?? 'null' }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    change.goBackTo(saved)
    if (!error.isRaceable || isSecond) return { status: error.status, error }
    input.work.forgetRead()
    return runApart(target, input, item, true)
  }
}

async function runItem(
  { entity, create, patch }: BatchTarget,
  input: Omit<Input, 'body' | 'params' | 'ifMatch'>,
  { op, id, data = {}, ifVersion }: BatchItem,
): Promise<Answer<unknown>> {
  if (op !== 'update' && id !== undefined) throw badRequest('id', `does not go with ${op}`, 'unknown_field')
  const ifMatch = ifVersion === undefined ? undefined : [ifVersion]
  const changed = (known: string) =>
    handleWrite(patch, { ...input, params: { id: known }, ifMatch, body: shaped(patch, data, input) })
  if (op === 'update') {
    if (id === undefined) throw badRequest('id', 'is required for update', 'required')
    return changed(id.toLowerCase())
  }
  const known = op === 'upsert' ? await findByRefs(input.work, entity, requireRefs(patch, data, input)) : undefined
  if (known) return changed(known.id)
  if (ifVersion !== undefined) throw badRequest('ifVersion', 'names a version, but there is no such record', 'required')
  return handleWrite(create, { ...input, params: {}, ifMatch, body: shaped(create, data, input) })
}

function requireRefs(patch: Endpoint, data: Record<string, unknown>, input: Pick<Input, 'caller'>): ExternalRef[] {
  const refs = refsIn(shaped(patch, data, input))
  if (refs.length === 0) throw badRequest('data.externalRefs', 'is required for upsert', 'required')
  return refs
}

const refsIn = ({ externalRefs: refs }: Record<string, unknown>): ExternalRef[] => (Array.isArray(refs) ? refs : [])

const shapers = new WeakMap<Endpoint, Shaper>()

/** The body as the endpoint itself would take it. */
function shaped(
  target: Endpoint,
  data: Record<string, unknown>,
  { caller }: Pick<Input, 'caller'>,
): Record<string, unknown> {
  if (target.body === undefined) throw new Error(`${target.operationId} takes no body`)
  const shaper = shapers.get(target) ?? bodyShaper(target.body)
  shapers.set(target, shaper)
  return shaper(data, caller.settings) ?? {}
}

/** First what says which records are meant, then these records. An item that cannot be read is told so in its turn. */
async function fetchAhead(
  { entity, create, patch }: BatchTarget,
  input: Omit<Input, 'body' | 'params' | 'ifMatch'>,
  items: readonly BatchItem[],
): Promise<void> {
  const { work } = input
  const bodies = items.flatMap(({ op, data = {} }) => readable(op === 'create' ? create : patch, data, input))
  const looksUp = (body: Record<string, unknown>) => create.looksUp?.(body) ?? refLookups(entity, refsIn(body))
  await work.fetchManyAhead(bodies.flatMap(looksUp))
  const named = await Promise.all(bodies.flatMap((body) => refsIn(body)).map((ref) => ownerOf(work, entity, ref)))
  const ids = [...items.flatMap(({ op, id }) => (op === 'update' && id ? [id.toLowerCase()] : [])), ...named.flat()]
  if (ids.length > 0)
    await work.fetchManyAhead([[finding<Entity>(entity, { id: [...new Set(ids)] }, limits.batchItems)]])
}

function readable(
  target: Endpoint,
  data: Record<string, unknown>,
  input: Pick<Input, 'caller'>,
): Record<string, unknown>[] {
  try {
    return [shaped(target, data, input)]
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

async function ownerOf(work: Work, entity: Entity, ref: ExternalRef): Promise<string[]> {
  const row = await findRef(work, entity, ref)
  return row ? [row.entityId] : []
}
