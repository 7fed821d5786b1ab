// Finds the rows of one table that a change writes by their values, without looking at all of them: a change of many
// rows is asked after each of them.
import { type AnyRow, valueOf } from '@parley/contract'
import { isFound, type Where } from './conditions.js'

export class WriteIndex {
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
