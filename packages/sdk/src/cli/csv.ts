// CSV as RFC 4180 has it, read by csv-parse: each record with the line it begins on, and trouble in plain words.
import { CsvError as ParserError, parse } from 'csv-parse'

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

/** Both line ends may stand in one file: spreadsheets write CRLF, and people edit the file afterwards. */
const options = {
  bom: true,
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
  skip_empty_lines: true,
}

export async function* readCsv(pieces: AsyncIterable<string>): AsyncGenerator<CsvRecord, void, undefined> {
  // Records are taken as they are found, not read from the stream: a stream that fails forgets what waits in it.
  const found: CsvRecord[] = []
  // Lines are counted here: the parser takes a CRLF within quotes for two.
  let linesRead = 0
  const parser = parse({
    ...options,
    on_record(cells: string[], { empty_lines }) {
      found.push({ line: linesRead + empty_lines + 1, cells })
      linesRead += 1 + lineBreaksIn(cells)
      return null
    },
  })
  let trouble: unknown
  parser.on('error', (error) => {
    trouble = error
  })
  for await (const piece of pieces) {
    await new Promise((resolve) => parser.write(piece, resolve))
    yield* found.splice(0)
    if (trouble) break
  }
  if (!trouble)
    await new Promise<void>((resolve) =>
      parser
        .end(resolve)
        .resume()
        .once('error', () => resolve()),
    )
  yield* found
  if (trouble instanceof ParserError)
    throw new CsvError(linesRead + Number(trouble['empty_lines']) + 1, inPlainWords(trouble))
  if (trouble) throw trouble
}

const lineBreaksIn = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + (cell.match(/\n/g)?.length ?? 0), 0)

function inPlainWords(error: ParserError): string {
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return 'a quote is opened and never closed'
  if (error.code === 'INVALID_OPENING_QUOTE')
    return 'a quote stands in the middle of a cell; double it and put the cell in quotes'
  return error.code === 'CSV_INVALID_CLOSING_QUOTE' ? 'something follows a closing quote' : error.message
}
