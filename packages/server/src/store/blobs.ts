// Where bytes are kept that are too large for the database, such as recordings. Whoever writes them down somewhere else
// knows them by name.
import type { Readable } from 'node:stream'

/** Bytes as they come: a request's body, or what is there already. */
export type Bytes = AsyncIterable<Buffer> | Iterable<Buffer>

export interface Blobs {
  /**
   * Keeps what the source yields under a name that is new, and says how much it was. Until this has come back the name
   * must be known to nobody: a crash may leave a part. More than `bytesMax` is refused with the error that `tooLarge`
   * makes, as soon as it is noticed; of what is refused nothing stays.
   */
  put(
    folder: string,
    name: string,
    source: Bytes,
    options: { bytesMax: number; tooLarge: () => Error },
  ): Promise<number>
  /** The bytes from `start` to `end`, both included; undefined when there is no such blob. */
  open(folder: string, name: string, range?: { start: number; end: number }): Promise<Readable | undefined>
  /** How many bytes it has; undefined when there is no such blob. */
  size(folder: string, name: string): Promise<number | undefined>
  /** Whoever is reading it reads on. That it is not there is no error. */
  remove(folder: string, name: string): Promise<void>
  /** Where anybody gets it for so long; absent where all bytes go through this service. */
  readonly signedUrl?: (
    folder: string,
    name: string,
    options: { readonly seconds: number; readonly contentType: string; readonly fileName: string },
  ) => Promise<string>
}
