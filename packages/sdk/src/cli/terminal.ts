// What goes to the screen: colours where they are wanted, tables that fit, and plain text in a pipe.

export interface Terminal {
  /** What was asked for: one line of standard output. */
  out(text: string): void
  /** What goes on meanwhile: standard error. */
  note(text: string): void
  /** A line that the next one writes over; nothing in a pipe. */
  progress(text: string): void
  readonly width: number
  readonly isInteractive: boolean
  paint(style: Style, text: string): string
}

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const
export type Style = keyof typeof codes

export function createTerminal({ stdout, stderr, env }: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'env'>): Terminal {
  const hasColour = env['NO_COLOR']
    ? false
    : Boolean(env['FORCE_COLOR']) || (stdout.isTTY === true && env['TERM'] !== 'dumb')
  const isInteractive = stderr.isTTY === true && env['TERM'] !== 'dumb'
  return {
    out: (text) => void stdout.write(`${text}\n`),
    note: (text) => void stderr.write(`${text}\n`),
    progress: (text) => {
      if (isInteractive) stderr.write(`\r\u001b[2K${cut(text, (stderr.columns || 80) - 1)}`)
    },
    width: stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    isInteractive,
    paint: (style, text) => (hasColour ? `\u001b[${codes[style]}m${text}\u001b[0m` : text),
  }
}

/** Control characters of a record must not steer the terminal. */
export const plain = (value: unknown): string => {
  const text =
    value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}

export const cut = (text: string, width: number): string =>
  text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`

/** Rows under their headings. Where the screen is too narrow, the widest columns give way first. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[], screen: number): string {
  const cells = [headings.map((heading) => heading.toUpperCase()), ...rows.map((row) => row.map(plain))]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? '').length)))
  const gaps = 2 * (headings.length - 1)
  while (widths.reduce((sum, width) => sum + width, gaps) > screen && Math.max(...widths) > 6) {
    const widest = widths.indexOf(Math.max(...widths))
    widths[widest] = (widths[widest] ?? 0) - 1
  }
  const line = (row: readonly string[]) =>
    row.map((cell, column) => cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0)).join('  ')
  return cells.map((row) => line(row).trimEnd()).join('\n')
}

/** Names and values, one on each line. */
export function fields(record: object): string {
  const entries = Object.entries(record)
  const width = Math.max(0, ...entries.map(([name]) => name.length))
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`.trimEnd()).join('\n')
}
