// A Change: what should become true, as plain data. It reaches nothing by itself; `commit` makes all of it true or
// none. Handlers fill it through their `Work`.
import { type AnyRow, type Entity, type EventData, type EventType, events, valueOf } from '@parley/contract'
import type { Sql } from '../database/sql.js'
import { isFound, type Where } from './conditions.js'

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
  /** The record that it is part of from now on. */
  readonly mergedIntoId?: string | undefined
}

export type Write = Insert | Update | Remove

export interface Publication {
  readonly type: EventType
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * A write of a typed table. The statement selects from the CTE `not_a_replay`, which is empty for the twin of a request
 * that was answered before.
 */
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
  /** Ids of merged records that this change brings back, and may name. */
  readonly restored = new Set<string>()
  /** Where each row is in `writes`: a change may hold a thousand. */
  private readonly places = new Map<string, number>()
  /** The places of each table's rows, in their order. */
  private readonly ofTable = new Map<string, number[]>()
  private readonly indexes = new Map<string, WriteIndex>()
  /** How to put back what was replaced, in the order in which it was. */
  private readonly replaced: (() => void)[] = []

  publish<T extends EventType>(type: T, data: EventData<T>): void {
    this.publications.push({ type, data })
  }

  republish<T extends EventType>(type: T, data: EventData<T>): void {
    const { subject } = events[type]
    const id = valueOf(data, subject)
    const at = this.publications.findIndex((one) => one.type === type && one.data[subject] === id)
    const earlier = this.publications[at]
    if (earlier === undefined) return
    this.replaced.push(() => (this.publications[at] = earlier))
    this.publications[at] = { type, data }
  }

  addFence(fence: Fence): void {
    if (!this.fences.some(({ name }) => name === fence.name)) this.fences.push(fence)
  }

  /** What to go back to when the next step fails: one item of many may, without harm to the others. */
  saved(): SavedChange {
    const { writes, publications, fences, extras, announcements, replaced } = this
    return {
      writes: writes.length,
      publications: publications.length,
      fences: fences.length,
      extras: extras.length,
      announcements: announcements.length,
      replaced: replaced.length,
    }
  }

  goBackTo(saved: SavedChange): void {
    for (const putBack of this.replaced.splice(saved.replaced).reverse()) putBack()
    for (const write of this.writes.splice(saved.writes)) {
      this.places.delete(rowKey(write))
      this.ofTable.get(write.entity.table)?.pop()
    }
    this.publications.length = saved.publications
    this.fences.length = saved.fences
    this.extras.length = saved.extras
    this.announcements.length = saved.announcements
  }

  /** It only answers. */
  get isEmpty(): boolean {
    return this.writes.length + this.publications.length + this.fences.length + this.extras.length === 0
  }

  /** What this change does to a row, if anything. */
  writeOf(entity: Entity, id: string): Write | undefined {
    const at = this.places.size === 0 ? undefined : this.places.get(`${entity.table}/${id}`)
    return at === undefined ? undefined : this.writes[at]
  }

  writesOf(entity: Entity): Write[] {
    return (this.ofTable.get(entity.table) ?? []).flatMap((at) => this.writes[at] ?? [])
  }

  /** The records that this change makes or changes, and that will have these values. */
  recordsWith(entity: Entity, where: Where): AnyRow[] {
    return this.indexes.get(entity.table)?.find(where) ?? []
  }

  /** How many rows of the table this change touches. */
  countOf(entity: Entity): number {
    return this.ofTable.get(entity.table)?.length ?? 0
  }

  /**
   * A row is written once: a later write of the same row takes the place of the earlier one, under the earlier one's
   * fence and as one version. Returns what will be done.
   */
  write<W extends Write>(write: W): Write {
    const key = rowKey(write)
    const at = this.places.get(key)
    const earlier = at === undefined ? undefined : this.writes[at]
    if (at === undefined || earlier === undefined) {
      const place = this.writes.push(write) - 1
      this.places.set(key, place)
      const { table } = write.entity
      const known = this.ofTable.get(table)
      if (known) known.push(place)
      else this.ofTable.set(table, [place])
      this.indexOf(write.entity).add(place, true)
      return write
    }
    const later = replacement(earlier, write)
    this.replaced.push(() => {
      this.writes[at] = earlier
      this.indexOf(write.entity).add(at, false)
    })
    this.writes[at] = later
    this.indexOf(write.entity).add(at, false)
    return later
  }

  private indexOf({ table }: Entity): WriteIndex {
    const known = this.indexes.get(table)
    if (known) return known
    const made = new WriteIndex((place) => {
      const write = this.writes[place]
      return write?.entity.table === table && write.kind !== 'remove' ? write.record : undefined
    })
    this.indexes.set(table, made)
    return made
  }
}

/** How much there was of each. */
export type SavedChange = Readonly<
  Record<'writes' | 'publications' | 'fences' | 'extras' | 'announcements' | 'replaced', number>
>

function replacement(earlier: Write, later: Write): Write {
  if (earlier.kind === 'remove' || later.kind === 'insert')
    throw new Error(`A change cannot ${later.kind} ${rowKey(later)} after it was to ${earlier.kind} it`)
  if (later.kind === 'remove') {
    if (earlier.kind === 'insert') throw new Error(`A change cannot remove ${rowKey(later)}, which it makes`)
    return { ...later, seen: earlier.seen }
  }
  const { version, updatedAt } = earlier.record
  const record = { ...later.record, version, updatedAt }
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

/**
 * Finds the rows of one table that a change writes by their values, without looking at all of them: a change of many
 * rows is asked after each of them.
 */
class WriteIndex {
  /** Places by the fields that were asked for, then by their values. */
  private readonly byFields = new Map<string, ByValues>()
  private readonly places: number[] = []

  /** `recordAt` is the record at a place as it will be; undefined where it is removed, or was taken back. */
  constructor(private readonly recordAt: (place: number) => AnyRow | undefined) {}

  /** To be told whenever a place gets another record. What it had before stays listed, and is passed over. */
  add(place: number, isNew: boolean): void {
    if (isNew) this.places.push(place)
    for (const index of this.byFields.values()) this.list(index, place)
  }

  find(where: Where): AnyRow[] {
    return [...this.candidates(where)].flatMap((place) => {
      const record = this.recordAt(place)
      return record && isFound(record, where) ? [record] : []
    })
  }

  private candidates(where: Where): Iterable<number> {
    const values = Object.values(where)
    if (!values.every((value) => typeof value === 'string')) return new Set(this.places)
    return this.indexOf(Object.keys(where)).places.get(values.join(SEPARATOR)) ?? []
  }

  private indexOf(fields: readonly string[]): ByValues {
    const name = fields.join()
    const known = this.byFields.get(name)
    if (known) return known
    const made: ByValues = { fields, places: new Map() }
    for (const place of this.places) this.list(made, place)
    this.byFields.set(name, made)
    return made
  }

  private list({ fields, places }: ByValues, place: number): void {
    const record = this.recordAt(place)
    if (record === undefined) return
    const key = fields.map((field) => String(valueOf(record, field))).join(SEPARATOR)
    const listed = places.get(key)
    if (listed) listed.add(place)
    else places.set(key, new Set([place]))
  }
}

interface ByValues {
  readonly fields: readonly string[]
  readonly places: Map<string, Set<number>>
}

const SEPARATOR = '\0'
