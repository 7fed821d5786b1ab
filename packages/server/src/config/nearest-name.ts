// The setting that someone meant who wrote a name that is none.

/** Names are compared without their prefix, so that PARLEY_PORT leads to PORT. */
export function nearestName(name: string, names: readonly string[]): string {
  const bare = (full: string) => full.replace(/^PARLEY_/, '')
  const byDistance = names.map((one) => ({ name: one, distance: editDistance(bare(name), bare(one)) }))
  return byDistance.reduce((nearest, candidate) => (candidate.distance < nearest.distance ? candidate : nearest)).name
}

/** Levenshtein's distance, one row of the matrix at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const replaced = at(row, column - 1) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(replaced, at(row, column) + 1, at(next, column - 1) + 1))
    }
    row = next
  }
  return at(row, to.length)
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
