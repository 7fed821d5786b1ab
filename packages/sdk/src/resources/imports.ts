// Imports: a file of rows that becomes records, in the background.
import type { Import, ImportQuery, ImportRequest } from '../generated/shapes.js'
import { ask, path, type RequestOptions, type Send } from '../transport.js'
import { act, type Gets, type Lists, verbs } from './verbs.js'
import type { Audio } from './voicemails.js'

export interface Imports extends Lists<ImportQuery, Import>, Gets<Import> {
  /** Begins an import; then send its file with `putFile`. */
  create(body: ImportRequest, options?: RequestOptions): Promise<Import>
  /**
   * Sends the file, or with `range` a part of it: `{ start, total }`, where `start` is the `receivedBytes` of the
   * import and the part follows it. A file packed with gzip is taken as it is.
   */
  putFile(
    id: string,
    content: Audio,
    options?: RequestOptions & { range?: { start: number; bytes: number; total: number } },
  ): Promise<Import>
  /** The rows that were refused, as CSV with the reason in its last column. */
  errors(id: string, options?: RequestOptions): Promise<Response>
  /** Ends it; rows that were written stay. */
  cancel(id: string, options?: RequestOptions): Promise<Import>
}

export function imports(send: Send): Imports {
  const { list, get, create }: Pick<Imports, 'list' | 'get' | 'create'> = verbs(send, 'imports')
  return {
    list,
    get,
    create,
    putFile(id, content, { range, headers, ...options } = {}) {
      const part = range && `bytes ${range.start}-${range.start + range.bytes - 1}/${range.total}`
      return ask(send, {
        method: 'PUT',
        path: path`/imports/${id}/file`,
        bytes: { content, type: 'application/octet-stream' },
        options: { ...options, headers: { ...headers, ...(part && { 'content-range': part }) } },
      })
    },
    errors: (id, options) => send({ method: 'GET', path: path`/imports/${id}/errors`, isStream: true, options }),
    cancel: (id, options) => act(send, 'imports', id, 'cancel', undefined, options),
  }
}
