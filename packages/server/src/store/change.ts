// A Change: what a handler wants to become true, as plain data. It reaches nothing by itself; `commit` makes all of it
// true or none.
import type { AnyRow, Entity, EventData, EventType, Row } from '@parley/contract'
import type { Sql } from '../database/sql.js'
import type { Answer } from './response.js'

interface Insert {
  readonly kind: 'insert'
  readonly entity: Entity
  readonly record: AnyRow
  readonly sealed?: Buffer | undefined
  readonly words?: readonly string[] | undefined
  readonly searchUnchanged?: boolean | undefined
}

interface Update extends Omit<Insert, 'kind'> {
  readonly kind: 'update'
  /** The version that the handler saw; the record carries the next one. */
  readonly seen: number
}

interface Remove {
  readonly kind: 'remove'
  readonly entity: Entity
  readonly id: string
  readonly seen: number
}

export type Write = Insert | Update | Remove

export interface Publication {
  readonly type: EventType
  readonly data: Readonly<Record<string, unknown>>
}

/** A row of a typed table. The statement selects from the CTE `proceed`, so that it does nothing for a twin. */
export interface ExtraStatement {
  readonly statement: Sql
  /** How many rows it must touch for the change to stand; left out when it may be any number. */
  readonly rows?: number | undefined
  /** Under which name other statements of the same change find what it returns. */
  readonly name?: string
  /** Always the same text, whatever its values, so that it is worth preparing. */
  readonly recurs?: boolean
}

/**
 * What a commit tells the workers of this process, as soon as it is made. Nothing is lost if it is not heard: workers
 * look by themselves too.
 */
export interface Announcement {
  readonly topic: string
  readonly detail?: unknown
}

export interface Fence {
  readonly name: string
  readonly seen: number
}

/** What the store may do beside a record: encrypt a secret with it, or make further words find it. */
export interface StoredAlongside {
  sealed?: Buffer | undefined
  words?: readonly string[] | undefined
  /** An update that touches nothing people search for: the words under which the record is found stay as they are. */
  searchUnchanged?: boolean | undefined
}

export class Change {
  readonly writes: Write[] = []
  readonly publications: Publication[] = []
  readonly fences: Fence[] = []
  readonly extras: ExtraStatement[] = []
  readonly announcements: Announcement[] = []
  /** Where each row is in `writes`: a change may hold a thousand. */
  private readonly places = new Map<string, number>()

  constructor(readonly answer: Answer) {}

  insert<R extends AnyRow>(entity: Entity, record: R, beside: StoredAlongside = {}): this {
    return this.write({ kind: 'insert', entity, record, ...beside })
  }

  /** Replaces a record that was read at `record.version - 1`. */
  update<R extends AnyRow>(entity: Entity, record: R, beside: StoredAlongside = {}): this {
    return this.write({ kind: 'update', entity, record, seen: record.version - 1, ...beside })
  }

  remove(entity: Entity, { id, version }: AnyRow): this {
    return this.write({ kind: 'remove', entity, id, seen: version })
  }

  publish<T extends EventType>(type: T, data: EventData<T>): this {
    this.publications.push({ type, data })
    return this
  }

  /** Fails as stale when another change has bumped the fence since it was read. */
  fence(fence: Fence): this {
    if (!this.fences.some(({ name }) => name === fence.name)) this.fences.push(fence)
    return this
  }

  addStatement(statement: Sql, rows?: number, how: Pick<ExtraStatement, 'name' | 'recurs'> = {}): this {
    this.extras.push({ statement, rows, ...how })
    return this
  }

  announce(topic: string, detail?: unknown): this {
    this.announcements.push({ topic, detail })
    return this
  }

  /** The same change with another answer. */
  withResponse(answer: Answer): Change {
    const change = new Change(answer)
    for (const write of this.writes) change.write(write)
    change.publications.push(...this.publications)
    change.fences.push(...this.fences)
    change.extras.push(...this.extras)
    change.announcements.push(...this.announcements)
    return change
  }

  /** It only answers. */
  get isEmpty(): boolean {
    return this.writes.length + this.publications.length + this.fences.length + this.extras.length === 0
  }

  /** What this change makes of an entity's records: no read sees them before the commit. */
  pending<E extends Entity>(entity: E): Row<E>[] {
    return this.writes.flatMap((write) =>
      write.entity === (entity as Entity) && write.kind !== 'remove' ? [write.record as Row<E>] : [],
    )
  }

  /**
   * A row is written once: a later write of the same row takes the place of the earlier one, under the earlier one's
   * fence and as one version.
   */
  private write(write: Write): this {
    const key = rowKey(write)
    const at = this.places.get(key)
    const earlier = at === undefined ? undefined : this.writes[at]
    if (at === undefined || earlier === undefined) this.places.set(key, this.writes.push(write) - 1)
    else this.writes[at] = replacement(earlier, write)
    return this
  }
}

function replacement(earlier: Write, later: Write): Write {
  if (earlier.kind === 'remove' || later.kind === 'insert')
    throw new Error(`A change cannot ${later.kind} ${rowKey(later)} after it was to ${earlier.kind} it`)
  if (later.kind === 'remove') {
    if (earlier.kind === 'insert') throw new Error(`A change cannot remove ${rowKey(later)}, which it makes`)
    return { ...later, seen: earlier.seen }
  }
  const record = { ...later.record, version: earlier.record.version }
  return {
    ...earlier,
    record,
    sealed: later.sealed ?? earlier.sealed,
    words: later.words ?? earlier.words,
    searchUnchanged: earlier.kind === 'update' && earlier.searchUnchanged === true && later.searchUnchanged === true,
  }
}

/** Names the row a write touches, for queues and for the rule of one write per row. */
export function rowKey(write: Write): string {
  return `${write.entity.table}/${write.kind === 'remove' ? write.id : write.record.id}`
}
