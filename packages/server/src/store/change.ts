// A Change: what should become true, as plain data. It reaches nothing by itself; `commit` makes all of it true or
// none. Handlers fill it through their `Work`.
import { type AnyRow, type Entity, type EventData, type EventType, events, valueOf } from '@parley/contract'
import type { Sql } from '../database/sql.js'

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

  publish<T extends EventType>(type: T, data: EventData<T>): void {
    this.publications.push({ type, data })
  }

  republish<T extends EventType>(type: T, data: EventData<T>): void {
    const { subject } = events[type]
    const id = valueOf(data, subject)
    const at = this.publications.findIndex((one) => one.type === type && one.data[subject] === id)
    if (at >= 0) this.publications[at] = { type, data }
  }

  addFence(fence: Fence): void {
    if (!this.fences.some(({ name }) => name === fence.name)) this.fences.push(fence)
  }

  /** What to go back to when the next step fails: one item of many may, without harm to the others. */
  saved(): SavedChange {
    const { writes, publications, fences, extras, announcements } = this
    return {
      writes: [...writes],
      publications: [...publications],
      fences: [...fences],
      extras: [...extras],
      announcements: [...announcements],
    }
  }

  goBackTo(saved: SavedChange): void {
    refill(this.writes, saved.writes)
    refill(this.publications, saved.publications)
    refill(this.fences, saved.fences)
    refill(this.extras, saved.extras)
    refill(this.announcements, saved.announcements)
    this.places.clear()
    for (const [at, write] of this.writes.entries()) this.places.set(rowKey(write), at)
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
    return this.writes.length === 0 ? [] : this.writes.filter((write) => write.entity.table === entity.table)
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
      this.places.set(key, this.writes.push(write) - 1)
      return write
    }
    const later = replacement(earlier, write)
    this.writes[at] = later
    return later
  }
}

export type SavedChange = Readonly<Pick<Change, 'writes' | 'publications' | 'fences' | 'extras' | 'announcements'>>

function refill<T>(list: T[], items: readonly T[]): void {
  list.length = 0
  for (const item of items) list.push(item)
}

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
