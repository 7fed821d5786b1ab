// Cuts CSV into rows as it comes: RFC 4180 with either line end, a comma, semicolon or tab between cells, and a bound
// on how much of a row is kept. Pure text in, rows out.

export interface FileRow {
  /** Where it begins, from 1. */
  readonly line: number
  readonly cells: readonly string[]
  readonly isTooLong: boolean
}

export class UnreadableFile extends Error {}

export interface Splitter {
  push(text: string): FileRow[]
  end(): FileRow[]
}

export function csvSplitter(charactersMax: number): Splitter {
  let separator = ''
  let cells: string[] = []
  let cell = ''
  let size = 0
  let line = 1
  let beganAt = 1
  let isQuoted = false
  let wasQuote = false
  let isStarted = false
  let found: FileRow[] = []

  const keep = (text: string) => {
    size += text.length
    if (size <= charactersMax) cell += text
  }
  const endCell = () => {
    if (size <= charactersMax) cells.push(cell)
    cell = ''
    size += 1
  }
  const endRow = () => {
    endCell()
    found.push({ line: beganAt, cells, isTooLong: size > charactersMax })
    cells = []
    size = 0
    isStarted = false
    beganAt = line
  }

  function step(character: string): void {
    if (isQuoted) {
      if (wasQuote) {
        wasQuote = false
        if (character === '"') return keep('"')
        isQuoted = false
        return step(character)
      }
      if (character === '"') wasQuote = true
      else keep(character)
      if (character === '\n') line += 1
      return
    }
    if (character === separator) return endCell()
    if (character === '\n') {
      line += 1
      if (cell.endsWith('\r')) cell = cell.slice(0, -1)
      return endRow()
    }
    isStarted = true
    if (character === '"' && cell === '') isQuoted = true
    else keep(character)
  }

  return {
    push(text) {
      separator ||= separatorOf(text)
      for (const character of text) step(character)
      const rows = found
      found = []
      return rows
    },
    end() {
      if (isQuoted && wasQuote) isQuoted = false
      if (isQuoted) throw unclosed(beganAt)
      if (isStarted || cells.length > 0 || cell !== '') endRow()
      return found
    },
  }
}

const unclosed = (line: number): UnreadableFile =>
  new UnreadableFile(`The row on line ${line} opens a quote and never closes it; mend it and send it again`)

/** The one of the three that the first line has most of. */
function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  const counts = [',', ';', '\t'].map((one) => [one, first.split(one).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best), counts[0] ?? [',', 0])[0]
}

/** Lines of JSON; a row has one cell. */
export function lineSplitter(charactersMax: number): Splitter {
  let rest = ''
  let size = 0
  let line = 0
  const rowOf = (text: string): FileRow => {
    line += 1
    const isTooLong = size + text.length > charactersMax
    const row = { line, cells: [isTooLong ? '' : rest + text], isTooLong }
    rest = ''
    size = 0
    return row
  }
  return {
    push(text) {
      const pieces = text.split('\n')
      const last = pieces.pop() ?? ''
      const rows = pieces.map(rowOf)
      size += last.length
      if (size <= charactersMax) rest += last
      else rest = ''
      return rows
    },
    end: () => (size > 0 ? [rowOf('')] : []),
  }
}
