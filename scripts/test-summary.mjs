// Says of each of vitest's JSON reports what ran and what was skipped, and adds them up in one plain line.
// Usage: node scripts/test-summary.mjs report.json …
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const total = { passed: 0, failed: 0, skipped: 0 }
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  // A file that could not be loaded counts as a failure, although none of its tests ran.
  const broken = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0).length
  const skipped = tests.filter(({ status }) => status === 'pending' || status === 'skipped' || status === 'todo')
  const counts = { passed: report.numPassedTests, failed: report.numFailedTests + broken, skipped: skipped.length }
  console.log(`${basename(file, '.json')}: ${report.testResults.length} files, ${line(counts)}`)
  for (const { fullName } of skipped) console.log(`  skipped: ${fullName}`)
  for (const name of Object.keys(total)) total[name] += counts[name]
}
console.log(line(total))

function line({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
