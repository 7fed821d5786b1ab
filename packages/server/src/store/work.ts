// The work of one handler: it reads one tenant's records, as its own writes leave them, and gathers what should become
// true. Nothing is written before the handler has answered; then `commit` makes all of it true or none.
import type { AnyRow, Entity, EventData, EventType, Row } from '@parley/contract'
import type { Database } from '../database/pool.js'
import type { Sql } from '../database/sql.js'
import type { Caller } from './caller.js'
import { Change, type ExtraStatement, type Fence, type StoredAlongside } from './change.js'
import { noSurvivors, type Survivors, withSurvivors } from './merged-ids.js'
import { type FenceReading, type FoundRow, type Lookup, Reader, readManyLookups, type Stored } from './reader.js'
import { type Answer, noContent, recordAnswer } from './response.js'

export class Work extends Reader {
  readonly change = new Change()
  /** Where ids lead that an earlier run of the handler named, and must not. */
  survivors: Survivors = noSurvivors
  /** What was fetched ahead, by what was asked. */
  private readonly ahead = new Map<string, readonly FoundRow[][]>()
  /** Records that were read, by table and id: one that is asked for again is as it was. */
  private readonly read = new Map<string, AnyRow>()

  constructor(
    database: Database,
    readonly caller: Caller,
    readonly now: Date,
    readonly requestId: string,
  ) {
    super(database, caller.tenantId)
  }

  override async get<E extends Entity>(entity: E, id: string): Promise<Row<E> | undefined> {
    const write = this.change.writeOf(entity, id)
    if (write) return write.kind === 'remove' ? undefined : (write.record as Row<E>)
    const known = this.read.get(keyOf(entity, id))
    if (known) return known as Row<E>
    const stored = await super.stored(entity, id)
    // It was merged into another one, which this change may have written.
    if (stored && stored.id !== id && this.change.writeOf(entity, stored.id)) return this.get(entity, stored.id)
    const record: Row<E> | undefined = stored && JSON.parse(stored.text)
    if (record) this.read.set(keyOf(entity, id), record)
    return record
  }

  override async stored(entity: Entity, id: string): Promise<Stored | undefined> {
    const record = await this.get(entity, id)
    return record && { id: record.id, version: record.version, text: JSON.stringify(record) }
  }

  /**
   * Fetches in one round trip what several functions are about to look up, each group as its function asks for it.
   * Nothing else changes: a function whose group was not fetched asks by itself.
   */
  async fetchAhead(...groups: readonly (readonly Lookup[])[]): Promise<void> {
    this.keepAhead(groups, await super.rowsOf(groups.flat()))
  }

  /** The same for many alike, such as those of all items of a batch: as few statements as there are kinds of them. */
  async fetchManyAhead(groups: readonly (readonly Lookup[])[]): Promise<void> {
    this.keepAhead(groups, await readManyLookups(this.database, this.tenantId, groups.flat()))
  }

  /** Whatever was read may be old: it is read again when it is asked for. */
  forgetRead(): void {
    this.read.clear()
    this.ahead.clear()
  }

  private keepAhead(groups: readonly (readonly Lookup[])[], rows: readonly FoundRow[][]): void {
    let taken = 0
    for (const group of groups) {
      const found = rows.slice(taken, taken + group.length)
      this.ahead.set(questionOf(group), found)
      for (const [index, lookup] of group.entries()) this.remember(lookup, super.shaped(lookup, found[index] ?? []))
      taken += group.length
    }
  }

  private remember(lookup: Lookup, found: AnyRow[] | Fence): void {
    if (isFence(lookup) || !Array.isArray(found)) return
    for (const record of found) this.read.set(keyOf(lookup.entity, record.id), record)
  }

  protected override async rowsOf(lookups: readonly Lookup[]): Promise<readonly FoundRow[][]> {
    const known = this.ahead.size === 0 ? undefined : this.ahead.get(questionOf(lookups))
    if (known && lookups.every((lookup, index) => this.isEnough(lookup, known[index] ?? []))) return known
    if (lookups.some(isFence)) this.forget()
    return super.rowsOf(lookups.map((lookup) => this.withRoom(lookup)))
  }

  /** A fence guards what is read after it: what was read before, and not beside a fence of its own, is too old. */
  private forget(): void {
    this.read.clear()
    for (const [question] of this.ahead) if (!isGuarded(question)) this.ahead.delete(question)
  }

  /** A few more than asked for: some of them may be gone by this change. */
  private withRoom(lookup: Lookup): Lookup {
    if (isFence(lookup)) return lookup
    const count = this.change.countOf(lookup.entity)
    return count === 0 ? lookup : { ...lookup, limit: lookup.limit + count }
  }

  /** What was fetched ahead may be short where this change has taken from it since. */
  private isEnough(lookup: Lookup, rows: readonly FoundRow[]): boolean {
    if (isFence(lookup) || rows.length < lookup.limit || this.change.countOf(lookup.entity) === 0) return true
    const isWritten = ([, text]: FoundRow) => this.change.writeOf(lookup.entity, JSON.parse(text ?? '{}').id)
    return !rows.some(isWritten)
  }

  protected override shaped(lookup: Lookup, rows: readonly FoundRow[]): AnyRow[] | Fence {
    const found = super.shaped(lookup, rows)
    if (isFence(lookup) || !Array.isArray(found)) return found
    this.remember(lookup, found)
    const { entity, where, limit, isNewestFirst } = lookup
    if (this.change.countOf(entity) === 0) return found
    const untouched = found.filter(({ id }) => this.change.writeOf(entity, id) === undefined)
    const written = this.change.recordsWith(entity, where)
    const all =
      written.length === 0 ? untouched : [...untouched, ...written].sort(isNewestFirst ? newestFirst : oldestFirst)
    return all.slice(0, limit)
  }

  /** Records that were read in some other way, as this change leaves them, with those that it makes; oldest first. */
  overlaid<R extends AnyRow>(entity: Entity, stored: readonly R[], belongs: (record: R) => boolean): R[] {
    const records = new Map(stored.map((record) => [record.id, record]))
    for (const write of this.change.writesOf(entity)) {
      const id = write.kind === 'remove' ? write.id : write.record.id
      const record = write.kind === 'remove' ? undefined : (write.record as R)
      if (record && belongs(record)) records.set(id, record)
      else records.delete(id)
    }
    return [...records.values()].sort(oldestFirst)
  }

  /** A record that was read before, as this change leaves it by now. */
  current<E extends Entity>(entity: E, record: Row<E>): Row<E> {
    const write = this.change.writeOf(entity, record.id)
    return write === undefined || write.kind === 'remove' ? record : (write.record as Row<E>)
  }

  /** Whether this change makes the record: nobody else can know it yet. */
  makes(entity: Entity, id: string): boolean {
    return this.change.writeOf(entity, id)?.kind === 'insert'
  }

  insert<E extends Entity>(entity: E, made: Row<E>, alongside: StoredAlongside = {}): Row<E> {
    const record = withSurvivors(entity, made, this.survivors)
    this.change.write({ kind: 'insert', entity, record, ...alongside })
    return record
  }

  /** Brings a record to its next version: `record` is what was read with what changes. Returns it as it will be. */
  update<E extends Entity>(entity: E, changed: Row<E>, alongside: StoredAlongside = {}): Row<E> {
    const record = withSurvivors(entity, changed, this.survivors)
    const earlier = this.change.writeOf(entity, record.id)
    if (earlier && earlier.kind !== 'remove' && earlier.record.version !== record.version)
      throw new Error(`${entity.table}/${record.id} was read before it was written; read it through the work again`)
    const next = nextVersion(record, this.now)
    const write = this.change.write({ kind: 'update', entity, record: next, seen: record.version, ...alongside })
    const { version, updatedAt } = write.kind === 'remove' ? next : write.record
    return version === next.version ? next : { ...next, version, updatedAt }
  }

  remove(entity: Entity, { id, version }: AnyRow, mergedIntoId?: string): void {
    this.change.write({ kind: 'remove', entity, id, seen: version, mergedIntoId })
  }

  publish<T extends EventType>(type: T, data: EventData<T>): void {
    this.change.publish(type, data)
  }

  /** Tells something else of what an event of this change is about already. */
  republish<T extends EventType>(type: T, data: EventData<T>): void {
    this.change.republish(type, data)
  }

  /** The commit fails as stale when another change has bumped the fence since it was read. */
  addFence(fence: Fence): void {
    this.change.addFence(fence)
  }

  /** A write of a typed table, as part of the one statement. */
  addStatement(statement: Sql, rows?: number, how: Pick<ExtraStatement, 'name' | 'recurs'> = {}): void {
    this.change.extras.push({ statement, rows, ...how })
  }

  /** Told to this process once the change is made. */
  announce(topic: string, detail?: unknown): void {
    this.change.announcements.push({ topic, detail })
  }

  /** The answer: a record with its version as ETag, or nothing. */
  respond(status: 204): Answer
  respond<R extends AnyRow>(status: number, record: R): Answer<R>
  respond(status: number, record?: AnyRow): Answer<unknown> {
    return record === undefined ? noContent : recordAnswer(status, record)
  }
}

const oldestFirst = (a: AnyRow, b: AnyRow): number => (a.id < b.id ? -1 : 1)
const newestFirst = (a: AnyRow, b: AnyRow): number => (a.id < b.id ? 1 : -1)

/** The next version of a record, stamped now; a clock that stepped back does not move it before its creation. */
function nextVersion<R extends AnyRow>(record: R, now: Date): R {
  const stamp = now.toISOString()
  return { ...record, updatedAt: stamp < record.createdAt ? record.createdAt : stamp, version: record.version + 1 }
}

const isFence = (lookup: Lookup): lookup is FenceReading => lookup.kind === 'fence'

const keyOf = (entity: Entity, id: string): string => `${entity.table}/${id}`

const FENCED = 'fenced '
const isGuarded = (question: string): boolean => question.startsWith(FENCED)

const questionOf = (lookups: readonly Lookup[]): string =>
  (lookups.some(isFence) ? FENCED : '') +
  lookups
    .map((one) =>
      isFence(one) ? one.name : JSON.stringify([one.entity.table, one.where, one.limit, one.isNewestFirst]),
    )
    .join()
