// Says of each of vitest's JSON reports what ran, what was skipped and what failed, and adds them up in one plain line.
// Usage: node scripts/test-summary.mjs report.json …
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

const total = { passed: 0, failed: 0, skipped: 0 }
for (const file of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(file, 'utf8'))
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults)
  // A file that could not be loaded counts as a failure, although none of its tests ran.
  const broken = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0)
  const skipped = tests.filter(({ status }) => status === 'pending' || status === 'skipped' || status === 'todo')
  const counts = { passed: report.numPassedTests, failed: report.numFailedTests + broken.length, skipped: skipped.length }
  console.log(`${basename(file, '.json')}: ${report.testResults.length} files, ${line(counts)}`)
  for (const { fullName } of skipped) console.log(`  skipped: ${fullName}`)
  // What a busy machine did to a test is worth knowing too: such a test has its failures on record, and passed.
  for (const { fullName, failureMessages } of tests.filter(({ status, failureMessages }) => status === 'passed' && failureMessages?.length > 0)) {
    console.log(`  passed when repeated: ${fullName}: ${failureMessages[0].split('\n', 1)[0]}`)
  }
  for (const { fullName, failureMessages } of tests.filter(({ status }) => status === 'failed')) {
    console.log(`  FAILED: ${fullName}`)
    for (const message of failureMessages) console.log(message.split('\n').slice(0, 12).join('\n').replace(/^/gm, '    '))
  }
  for (const { name, message } of broken) console.log(`  FAILED to run: ${name}\n    ${message}`)
  for (const name of Object.keys(total)) total[name] += counts[name]
}
console.log(line(total))

function line({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
