// What records are called in other systems. A record lists its references, and each is a row of its own so that it can
// be looked up and stays unique; the two are always written together.
import { type AnyRow, type Entity, type ExternalRef, externalRefs, type Row } from '@parley/contract'
import { conflict, raceableConflict } from '../../store/api-error.js'
import { findingBy, type Lookup, type Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { newRecord } from './record-values.js'

type RefRow = Row<typeof externalRefs>

/** The one live record that all given references point to; undefined when none does. */
export async function findByRefs<E extends Entity>(
  read: Reader,
  entity: E,
  refs: readonly ExternalRef[] | undefined,
): Promise<Row<E> | undefined> {
  const rows = await Promise.all((refs ?? []).map((ref) => findRef(read, entity, ref)))
  const ids = [...new Set(rows.flatMap((row) => (row ? [row.entityId] : [])))]
  const records = (await Promise.all(ids.map((id) => read.get(entity, id)))).filter((record) => record !== undefined)
  if (records.length > 1)
    throw conflict('ambiguous_external_refs', 'The external references belong to different records', {
      ids: records.map(({ id }) => id),
    })
  return records[0]
}

/** What is asked to find the rows of these references. */
export const refLookups = (entity: Entity, refs: readonly ExternalRef[] | undefined): Lookup[][] =>
  (refs ?? []).map((ref) => [refLookup(entity, ref)])

/** Few records share an id in another system; all may share the system. */
const refLookup = (entity: Entity, { system, externalId }: ExternalRef) =>
  findingBy('externalId', externalRefs, { entityType: entity.name, system, externalId }, 1)

export async function findRef(read: Reader, entity: Entity, ref: ExternalRef): Promise<RefRow | undefined> {
  const [rows] = await read.lookUp(refLookup(entity, ref))
  return rows[0]
}

/** Brings the rows in line with what the record lists. `before` is the record as it was, if it was. */
export async function writeRefs(work: Work, entity: Entity, before: AnyRow | undefined, after: AnyRow): Promise<void> {
  const sameRef = (a: ExternalRef) => (b: ExternalRef) => a.system === b.system && a.externalId === b.externalId
  const old = before?.externalRefs ?? []
  for (const ref of after.externalRefs) {
    const known = old.find(sameRef(ref))
    if (known && known.url === ref.url) continue
    await putRef(work, entity, after.id, ref, await findRef(work, entity, ref))
  }
  for (const ref of old.filter((one) => !after.externalRefs.some(sameRef(one)))) {
    const row = await findRef(work, entity, ref)
    if (row) work.remove(externalRefs, row)
  }
}

async function putRef(
  work: Work,
  entity: Entity,
  entityId: string,
  ref: ExternalRef,
  row: RefRow | undefined,
): Promise<void> {
  const url = ref.url ?? null
  if (row === undefined) {
    work.insert(
      externalRefs,
      newRecord(externalRefs, work, {
        entityType: entity.name,
        entityId,
        system: ref.system,
        externalId: ref.externalId,
        url,
      }),
    )
    return
  }
  // A reference may have been pushed before its record; then whoever comes with it takes it over.
  if (row.entityId !== entityId && (await work.stored(entity, row.entityId))) {
    throw raceableConflict('external_ref_taken', `${ref.system} ${ref.externalId} belongs to another ${entity.name}`, {
      id: row.entityId,
    })
  }
  work.update(externalRefs, { ...row, entityId, url })
}

/** A deleted record gives its references back. */
export async function removeRefs(work: Work, entity: Entity, record: AnyRow): Promise<void> {
  for (const ref of record.externalRefs) {
    const row = await findRef(work, entity, ref)
    if (row?.entityId === record.id) work.remove(externalRefs, row)
  }
}
