// One line of CSV, as RFC 4180 has it.

/** What a spreadsheet takes for the beginning of a formula. */
const formula = /^[=+\-@\t\r]/

/** With `quotesFormulas`, a cell that a spreadsheet would run gets an apostrophe in front. */
export const csvLine = (cells: readonly string[], quotesFormulas = false): string =>
  `${cells.map((cell) => quoted(quotesFormulas && formula.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
