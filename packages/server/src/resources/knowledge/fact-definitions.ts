// Fact definitions: what a key means. A key that nobody has defined gets a definition from its first fact, and whoever
// writes a definition later may not contradict the facts that are there.
import { factDefinitionBody, factDefinitions, type factSubjects, type Row } from '@parley/contract'
import { sql } from '../../database/sql.js'
import { type Endpoint, endpoint } from '../../http/endpoint.js'
import { badRequest, conflict } from '../../store/api-error.js'
import type { Fence } from '../../store/change.js'
import { fenceNamed, finding, type Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { crud, endpointsOf, type Rules } from '../generic/crud.js'
import { newRecord } from '../generic/record-values.js'
import { titleOf } from '../work/work-type-definitions.js'
import { inferredType, typeMismatch } from './fact-value-types.js'

export type FactDefinition = Row<typeof factDefinitions>
type FactSubject = (typeof factSubjects)[number]

/** How many facts are looked at before a definition is changed under them. */
const CHECKED_FACTS_MAX = 20_000

export async function findDefinition(read: Reader, key: string): Promise<FactDefinition | undefined> {
  const [[definition]] = await read.lookUp(definitionLookup(key))
  return definition
}

export const definitionLookup = (key: string) => finding(factDefinitions, { key }, 1)

/** The definition under which a fact is captured: a captured fact is never lost for want of configuration. */
export async function definitionFor(work: Work, key: string, value: unknown): Promise<FactDefinition> {
  const [fence, [known]] = await work.lookUp(fenceNamed(`fact-definition:${key}`), definitionLookup(key))
  if (known === undefined) return inferDefinition(work, fence, key, value)
  if (work.change.writeOf(factDefinitions, known.id) === undefined) hold(work, known)
  return known
}

function inferDefinition(work: Work, fence: Fence, key: string, value: unknown): FactDefinition {
  const values = {
    key,
    label: titleOf(key),
    valueType: inferredType(value),
    subjectScope: 'polymorphic',
    inferred: true,
  }
  work.addFence(fence)
  return work.insert(factDefinitions, newRecord(factDefinitions, work, values))
}

/**
 * Keeps the definition as it was read until the change is made. Facts share this hold: they wait for whoever rewrites
 * it, and not for each other.
 */
function hold(work: Work, { id, version }: FactDefinition): void {
  if (work.change.extras.some(({ statement }) => statement.values.includes(id))) return
  const held = sql`select 1 from fact_definitions d, not_a_replay
    where d.tenant_id = ${work.tenantId}::uuid and d.id = ${id}::uuid and d.version = ${version}::int for share of d`
  work.addStatement(held, 1, { recurs: true })
}

/** Refuses a fact that its definition does not allow. */
export function requireFit(definition: FactDefinition, subjectType: FactSubject, value: unknown): void {
  const { key, subjectScope } = definition
  if (!isInScope(definition, subjectType))
    throw badRequest('subjectType', `must be ${subjectScope}: that is the scope of the fact definition ${key}`, 'scope')
  const expected = typeMismatch(definition, value)
  if (expected) throw badRequest('value', `${expected}: that is the type of the fact definition ${key}`, 'value_type')
}

const isInScope = ({ subjectScope }: FactDefinition, subjectType: string): boolean =>
  subjectScope === 'polymorphic' || subjectScope === subjectType

const definitionRules: Rules<typeof factDefinitions> = {
  async existing({ work, body }) {
    return (await work.find(factDefinitions, { key: body['key'] }, 1))[0]
  },
  complete({ body, params }, definition, before) {
    if (before && before.key !== definition.key)
      throw conflict('fixed', 'The key of a fact definition cannot change; make another definition', { field: 'key' })
    if (definition.valueType === 'enum' && !definition.enumValues?.length)
      throw badRequest('enumValues', 'is required for the valueType enum', 'required')
    // To define a key is to configure it, even as it was inferred; a copy that is patched back says nothing new.
    const isDefined =
      params['id'] === undefined && (body['valueType'] !== undefined || body['subjectScope'] !== undefined)
    const isRestated = isDefined || isRetyped(definition, before)
    return {
      ...definition,
      label: definition.label ?? titleOf(definition.key ?? ''),
      inferred: before !== undefined && before.inferred && !isRestated,
    }
  },
  async after({ work, record, before }) {
    if (record && isRetyped(record, before)) await requireFactsFit(work, record, before)
  },
}

const isRetyped = (after: FactDefinition, before: FactDefinition | undefined): boolean =>
  before === undefined || before.valueType !== after.valueType || before.subjectScope !== after.subjectScope

/**
 * A definition that someone configured is fixed once it has facts; an inferred one, or one made after its facts, must
 * fit them all.
 */
async function requireFactsFit(
  work: Work,
  definition: FactDefinition,
  before: FactDefinition | undefined,
): Promise<void> {
  const { key, id } = definition
  const captured = await factsUnder(work, key, before && !before.inferred ? 1 : CHECKED_FACTS_MAX + 1)
  if (before && !before.inferred && captured.length > 0) {
    throw conflict('facts_exist', `${key} has facts, so its valueType and subjectScope stay as they are`, { key })
  }
  if (captured.length > CHECKED_FACTS_MAX)
    throw conflict('too_many_facts', `${key} has too many facts for its valueType or subjectScope to change`, { key })
  const odd = captured.find(
    ({ subject_type, value }) =>
      !isInScope(definition, subject_type) || typeMismatch(definition, JSON.parse(value)) !== undefined,
  )
  if (odd)
    throw conflict('facts_do_not_fit', `${key} has facts that do not fit this definition`, { key, factId: odd.id })
  // Where there was no definition, a fact that arrives meanwhile brings one, and the two meet at its key.
  if (before === undefined) return
  const counted = sql`facts_under_definition(${work.tenantId}::uuid, ${id}::uuid, ${key}, ${CHECKED_FACTS_MAX + 1})`
  work.addStatement(sql`select 1 from not_a_replay where ${counted} = ${captured.length}::int`, 1)
}

function factsUnder(
  { database, tenantId }: Reader,
  key: string,
  most: number,
): Promise<{ id: string; subject_type: string; value: string }[]> {
  return database.query(sql`select id, subject_type, (record -> 'value')::text as value
    from facts where tenant_id = ${tenantId} and key = ${key} limit ${most}`)
}

const { create, ...others } = crud(factDefinitions, definitionRules)

export const factDefinitionEndpoints: Endpoint[] = [
  endpoint({
    ...create,
    description:
      'Idempotent on the key: a definition that exists is updated with the fields that are sent. Its valueType ' +
      'and subjectScope are fixed once it has facts, unless it was inferred and its facts fit.',
    body: factDefinitionBody,
  }),
  ...endpointsOf(others),
]
