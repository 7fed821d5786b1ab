// Measures several things in turn, so that a machine that is slower for a while is slower for all of them.

/**
 * `cases`: functions of seconds to what was measured, by name. The results of each, round by round; every second round
 * goes backwards, and the first is longer and not counted, because what is measured is a server that has been running.
 */
export async function alternately(rounds, cases) {
  const names = Object.keys(cases)
  const measured = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const result = await cases[name](round < 0 ? 4 : 1)
      if (round >= 0) measured[name].push(result)
    }
  }
  return measured
}

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1]

/** The median of what they were to each other in each round. */
export const medianRatio = (values, others) => median(values.map((value, round) => value / others[round]))
