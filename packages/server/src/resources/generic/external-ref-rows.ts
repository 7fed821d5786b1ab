// What records are called in other systems. A record lists its references, and each is a row of its own so that it can
// be looked up and stays unique; the two are always written together.
import { type AnyRow, type Entity, type ExternalRef, externalRefs, type Row } from '@parley/contract'
import type { Input } from '../../http/endpoint.js'
import { conflict, raceableConflict } from '../../store/api-error.js'
import type { Change } from '../../store/change.js'
import type { Reader } from '../../store/reader.js'
import { newRecord, nextVersion } from './record-values.js'

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

async function findRef(read: Reader, entity: Entity, { system, externalId }: ExternalRef): Promise<RefRow | undefined> {
  const [row] = await read.find(externalRefs, { entityType: entity.name, system, externalId }, 1)
  return row
}

/** Brings the rows in line with what the record lists. `before` is the record as it was, if it was. */
export async function writeRefs(
  change: Change,
  input: Pick<Input, 'read' | 'caller' | 'now'>,
  entity: Entity,
  before: AnyRow | undefined,
  after: AnyRow,
): Promise<void> {
  const { read } = input
  const sameRef = (a: ExternalRef) => (b: ExternalRef) => a.system === b.system && a.externalId === b.externalId
  const old = before?.externalRefs ?? []
  for (const ref of after.externalRefs) {
    const known = old.find(sameRef(ref))
    if (known && known.url === ref.url) continue
    await putRef(change, input, entity, after.id, ref, await findRef(read, entity, ref))
  }
  for (const ref of old.filter((one) => !after.externalRefs.some(sameRef(one)))) {
    const row = await findRef(read, entity, ref)
    if (row) change.remove(externalRefs, row)
  }
}

async function putRef(
  change: Change,
  { read, caller, now }: Pick<Input, 'read' | 'caller' | 'now'>,
  entity: Entity,
  entityId: string,
  ref: ExternalRef,
  row: RefRow | undefined,
): Promise<void> {
  const url = ref.url ?? null
  if (row === undefined) {
    change.insert(
      externalRefs,
      newRecord(
        externalRefs,
        caller,
        { entityType: entity.name, entityId, system: ref.system, externalId: ref.externalId, url },
        now,
      ),
    )
    return
  }
  // A reference may have been pushed before its record; then whoever comes with it takes it over.
  if (row.entityId !== entityId && (await read.stored(entity, row.entityId))) {
    throw raceableConflict('external_ref_taken', `${ref.system} ${ref.externalId} belongs to another ${entity.name}`, {
      id: row.entityId,
    })
  }
  change.update(externalRefs, nextVersion({ ...row, entityId, url }, now))
}

/** A deleted record gives its references back. */
export async function removeRefs(change: Change, read: Reader, entity: Entity, record: AnyRow): Promise<void> {
  for (const ref of record.externalRefs) {
    const row = await findRef(read, entity, ref)
    if (row?.entityId === record.id) change.remove(externalRefs, row)
  }
}
