// Says of each of vitest's JSON reports what ran, what was skipped and what failed, and adds them up in one plain line.
// Usage: node scripts/test-summary.mjs report.json …         the second run of what failed in report.json is in
// report.again.json
//        node scripts/test-summary.mjs --failed report.json  the test files that failed, a line each
import { existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

const read = (path) => JSON.parse(readFileSync(path, 'utf8')).testResults
const isFailed = ({ status }) => status === 'failed'

const [first, ...rest] = process.argv.slice(2)
if (first === '--failed') for (const { name } of read(rest[0]).filter(isFailed)) console.log(name)
else
  console.log(
    line([first, ...rest].map(summarize).reduce((sum, counts) => counts.map((count, index) => count + sum[index]))),
  )

/**
 * Tells about one report; returns how many tests passed, failed and were skipped. A file that was run again counts as
 * it ended then.
 */
function summarize(path) {
  const again = path.replace(/\.json$/, '.again.json')
  const second = existsSync(again) ? read(again) : []
  const files = [...read(path).filter(({ name }) => !second.some((file) => file.name === name)), ...second]
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests.filter(isFailed)
  // A file that could not be loaded counts as a failure, although none of its tests ran.
  const broken = files.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed))
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed')
  const counts = [tests.length - failed.length - skipped.length, failed.length + broken.length, skipped.length]
  console.log(`${basename(path, '.json')}: ${files.length} files, ${line(counts)}`)
  for (const { fullName } of skipped) console.log(`  skipped: ${fullName}`)
  // What a busy machine or a neighbour did to a test is worth knowing too.
  if (second.length > 0)
    for (const test of read(path).flatMap(({ assertionResults }) => assertionResults.filter(isFailed)))
      tell('failed at first', test)
  for (const test of failed) tell('FAILED', test)
  for (const { name, message } of broken) console.log(`  FAILED to run: ${name}\n    ${message}`)
  return counts
}

function tell(what, { fullName, failureMessages }) {
  console.log(`  ${what}: ${fullName}`)
  for (const message of failureMessages) {
    const lines = message.split('\n').filter((text) => !/^\s+at .*(node_modules|node:)/.test(text))
    console.log(lines.slice(0, 30).join('\n').replace(/^/gm, '    '))
  }
}

function line([passed, failed, skipped]) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
