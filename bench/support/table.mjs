// Prints what was measured as a table of ratios, and says of each whether it holds.

/** `rows`: {what, value, unit?, ratio?, against?, target?, isAtMost?} */
export function printTable(title, rows) {
  const cells = rows.map(({ what, value, unit = '/s', ratio, against = '', target, isAtMost = false }) => {
    const holds = target === undefined ? '' : (isAtMost ? ratio <= target : ratio >= target) ? 'holds' : 'FAILS'
    const wanted = target === undefined ? '' : `${isAtMost ? '≤' : '≥'} ${target}`
    return [
      what,
      value === undefined ? '' : `${format(value)} ${unit}`,
      ratio === undefined ? '' : `${ratio.toFixed(2)} ${against}`,
      wanted,
      holds,
    ]
  })
  const all = [['', 'measured', 'ratio', 'wanted', ''], ...cells]
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)))
  console.log(`\n${title}`)
  for (const row of all) console.log(`  ${row.map((cell, column) => cell.padEnd(widths[column])).join('  ')}`.trimEnd())
  return cells.every((row) => row[4] !== 'FAILS')
}

const format = (value) => (value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2))
