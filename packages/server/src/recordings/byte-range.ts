// Which bytes a Range header asks for. One range is served; anything else that is well-formed, or not understood, gets
// the whole.

export type ByteRange = { readonly start: number; readonly end: number } | 'whole' | 'unsatisfiable'

export function byteRange(header: string | undefined, size: number): ByteRange {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  const [, first = '', last = ''] = match ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '')
    return Number(last) === 0 || size === 0
      ? 'unsatisfiable'
      : { start: Math.max(0, size - Number(last)), end: size - 1 }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  return start >= size ? 'unsatisfiable' : { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
}
