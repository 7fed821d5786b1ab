// Reads CSV as RFC 4180 has it, piece by piece: quotes, doubled quotes, line breaks within quotes, CRLF or LF, with or
// without a byte-order mark.

export interface CsvRecord {
  /** Where the record begins. */
  readonly line: number
  readonly cells: readonly string[]
}

/** What cannot be read any further. */
export class CsvError extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message)
  }
}

export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord, void, undefined> {
  const reading = {
    cells: [] as string[],
    cell: '',
    state: 'start' as 'start' | 'plain' | 'quoted' | 'closed',
    line: 1,
    begins: 1,
  }
  let isFirst = true
  for await (const piece of pieces) {
    const text = isFirst ? piece.replace(/^\uFEFF/, '') : piece
    isFirst = false
    for (const letter of text) {
      const record = take(reading, letter)
      if (record) yield record
    }
  }
  if (reading.state === 'quoted') throw new CsvError(reading.begins, 'a quote is opened and never closed')
  if (reading.state !== 'start' || reading.cells.length > 0) yield finish(reading)
}

interface Reading {
  cells: string[]
  cell: string
  /** `closed`: after the closing quote of a cell, which may turn out to be the first half of a doubled one. */
  state: 'start' | 'plain' | 'quoted' | 'closed'
  line: number
  begins: number
}

function take(reading: Reading, letter: string): CsvRecord | undefined {
  if (reading.state === 'quoted') {
    if (letter === '\n') reading.line += 1
    if (letter === '"') reading.state = 'closed'
    else reading.cell += letter
    return undefined
  }
  if (letter === '"') return quote(reading)
  if (letter === ',') {
    endCell(reading)
    return undefined
  }
  if (letter === '\r') return undefined
  if (letter === '\n') return endLine(reading)
  if (reading.state === 'closed')
    throw new CsvError(reading.begins, `${JSON.stringify(letter)} follows a closing quote`)
  reading.state = 'plain'
  reading.cell += letter
  return undefined
}

function quote(reading: Reading): undefined {
  if (reading.state === 'plain')
    throw new CsvError(reading.begins, 'a quote stands in the middle of a cell; double it and put the cell in quotes')
  if (reading.state === 'closed') reading.cell += '"'
  reading.state = 'quoted'
}

function endCell(reading: Reading): void {
  reading.cells.push(reading.cell)
  reading.cell = ''
  reading.state = 'start'
}

function endLine(reading: Reading): CsvRecord | undefined {
  reading.line += 1
  const isEmpty = reading.cells.length === 0 && reading.state === 'start'
  if (!isEmpty) return finish(reading)
  reading.begins = reading.line
  return undefined
}

function finish(reading: Reading): CsvRecord {
  endCell(reading)
  const record = { line: reading.begins, cells: reading.cells }
  reading.cells = []
  reading.begins = reading.line
  return record
}
