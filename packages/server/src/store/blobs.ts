// Where bytes are kept that are too large for the database, such as recordings. Whoever writes them down somewhere else knows them by name.
import type { Readable } from 'node:stream'

/** Bytes as they come: a request's body, or what is there already. */
export type Bytes = AsyncIterable<Buffer> | Iterable<Buffer>

export interface Blobs {
  /**
   * Keeps what the source yields, whole or not at all, and says how much it was. The name must be new, or hold the same bytes already. More than
   * `bytesMax` is refused with the error that `tooLarge` makes, as soon as it is noticed.
   */
  put(folder: string, source: Bytes, options: { bytesMax: number; tooLarge: () => Error }): Promise<{ name: string; bytes: number }>
  /** The bytes from `start` to `end`, both included; undefined when there is no such blob. */
  open(folder: string, name: string, range?: { start: number; end: number }): Promise<Readable | undefined>
  /** Drops what a folder holds besides these. */
  keepOnly(folder: string, names: readonly string[]): Promise<void>
}
