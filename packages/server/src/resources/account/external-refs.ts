// External references as a resource of their own: each write of a row is mirrored in the record that it belongs to.
import { type ExternalRef, entities, entityNamed, externalRefs, type Row } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { badRequest } from '../../store/api-error.js'
import type { Work } from '../../store/work.js'
import { crud, endpointsOf } from '../generic/crud.js'
import { mergeRefs } from '../generic/record-values.js'

type RefRow = Row<typeof externalRefs>

/** Whose reference it is and what it says; a change of any of these takes it off the list that it was on. */
const identity = ['entityType', 'entityId', 'system', 'externalId'] as const

export const externalRefEndpoints: Endpoint[] = endpointsOf(
  crud(externalRefs, {
    documented: () => ({ properties: { entityType: { enum: entities.map(({ name }) => name) } } }),
    complete(_input, row) {
      if (entityNamed(row.entityType) === undefined) {
        throw badRequest('entityType', `must be one of: ${entities.map(({ name }) => name).join(', ')}`, 'enum')
      }
      return row
    },
    async after({ work, record, before }) {
      if (before && (record === undefined || identity.some((field) => before[field] !== record[field]))) {
        await mirror(
          work,
          before,
          (refs) => refs.filter((ref) => ref.system !== before.system || ref.externalId !== before.externalId),
          record,
        )
        if (record?.entityId === before.entityId && record.entityType === before.entityType) return
      }
      if (record) await mirror(work, record, (refs) => mergeRefs(refs, [record]), undefined)
    },
  }),
)

/**
 * Applies an edit to the references listed by the record that `row` belongs to, if it exists. `then` is the same row as
 * it will be.
 */
async function mirror(
  work: Work,
  row: RefRow,
  edit: (refs: ExternalRef[]) => ExternalRef[],
  then: RefRow | undefined,
): Promise<void> {
  const entity = entityNamed(row.entityType)
  const owner = entity && (await work.get(entity, row.entityId))
  if (entity === undefined || owner === undefined) return
  const edited = edit(owner.externalRefs)
  const listed =
    then?.entityId === row.entityId && then.entityType === row.entityType ? mergeRefs(edited, [then]) : edited
  if (JSON.stringify(listed) !== JSON.stringify(owner.externalRefs))
    work.update(entity, { ...owner, externalRefs: listed }, { searchUnchanged: true })
}
