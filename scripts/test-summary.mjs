// Says of each of vitest's JSON reports what ran, what was skipped and what failed, and adds them up in one plain line.
// Usage: node scripts/test-summary.mjs report.json …
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const isFailed = ({ status }) => status === 'failed'

const all = process.argv.slice(2).map(summarize)
console.log(line(all.reduce((sum, counts) => counts.map((count, index) => count + sum[index]))))

/** Tells about one report; returns how many tests passed, failed and were skipped. */
function summarize(path) {
  const files = JSON.parse(readFileSync(path, 'utf8')).testResults
  const tests = files.flatMap(({ assertionResults }) => assertionResults)
  const failed = tests.filter(isFailed)
  // A file that could not be loaded counts as a failure, although none of its tests ran.
  const broken = files.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed))
  const skipped = tests.filter(({ status }) => status !== 'passed' && status !== 'failed')
  const counts = [tests.length - failed.length - skipped.length, failed.length + broken.length, skipped.length]
  console.log(`${basename(path, '.json')}: ${files.length} files, ${line(counts)}`)
  for (const { fullName } of skipped) console.log(`  skipped: ${fullName}`)
  for (const test of failed) tell(test)
  for (const { name, message } of broken) console.log(`  FAILED to run: ${name}\n    ${message}`)
  return counts
}

function tell({ fullName, failureMessages }) {
  console.log(`  FAILED: ${fullName}`)
  for (const message of failureMessages) {
    const lines = message.split('\n').filter((text) => !/^\s+at .*(node_modules|node:)/.test(text))
    console.log(lines.slice(0, 30).join('\n').replace(/^/gm, '    '))
  }
}

function line([passed, failed, skipped]) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
