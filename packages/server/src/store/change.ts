// A Change: what a handler wants to become true, as plain data. It reaches nothing by itself; `commit` makes all of it true or none.
import type { AnyRow, Entity, EventType } from '@parley/contract'
import type { Sql } from '../database/sql.js'
import type { Answer } from './answer.js'

interface Insert {
  readonly kind: 'insert'
  readonly entity: Entity
  readonly record: AnyRow
  readonly sealed?: Buffer | undefined
  readonly words?: readonly string[] | undefined
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
export interface Extra {
  readonly statement: Sql
  /** How many rows it must touch for the change to stand; not said: any number. */
  readonly rows?: number | undefined
}

export interface Fence {
  readonly name: string
  readonly seen: number
}

/** What the store may do beside a record: encrypt a secret with it, or make further words find it. */
export interface Beside {
  sealed?: Buffer | undefined
  words?: readonly string[] | undefined
}

export class Change {
  readonly writes: Write[] = []
  readonly publications: Publication[] = []
  readonly fences: Fence[] = []
  readonly extras: Extra[] = []

  constructor(readonly answer: Answer) {}

  insert(entity: Entity, record: object, beside: Beside = {}): this {
    return this.write({ kind: 'insert', entity, record: record as AnyRow, ...beside })
  }

  /** Replaces a record that was read at `record.version - 1`. */
  update(entity: Entity, record: object, beside: Beside = {}): this {
    const row = record as AnyRow
    return this.write({ kind: 'update', entity, record: row, seen: row.version - 1, ...beside })
  }

  remove(entity: Entity, record: object): this {
    const { id, version } = record as AnyRow
    return this.write({ kind: 'remove', entity, id, seen: version })
  }

  publish(type: EventType, data: object): this {
    this.publications.push({ type, data: data as Record<string, unknown> })
    return this
  }

  /** Fails as stale when another change has bumped the fence since it was read. */
  fence(fence: Fence): this {
    if (!this.fences.some(({ name }) => name === fence.name)) this.fences.push(fence)
    return this
  }

  also(statement: Sql, rows?: number): this {
    this.extras.push({ statement, rows })
    return this
  }

  /** The same change with another answer. */
  answering(answer: Answer): Change {
    const change = new Change(answer)
    change.writes.push(...this.writes)
    change.publications.push(...this.publications)
    change.fences.push(...this.fences)
    change.extras.push(...this.extras)
    return change
  }

  private write(write: Write): this {
    const id = rowKey(write)
    // A second CTE on the same row would silently do nothing.
    if (this.writes.some((other) => rowKey(other) === id)) throw new Error(`A change writes ${id} twice`)
    this.writes.push(write)
    return this
  }
}

/** Names the row a write touches, for queues and for the rule of one write per row. */
export function rowKey(write: Write): string {
  return `${write.entity.table}/${write.kind === 'remove' ? write.id : write.record.id}`
}
