// Adds up vitest's JSON reports and prints them as one plain line.
// Usage: node scripts/test-summary.mjs report.json …
import { readFileSync } from 'node:fs'

const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')))
const sum = (field) => reports.reduce((total, report) => total + report[field], 0)
// A file that could not be loaded counts as a failure, although none of its tests ran.
const brokenFiles = reports.flatMap((report) => report.testResults).filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length
const skipped = sum('numPendingTests') + sum('numTodoTests')
console.log(`${sum('numPassedTests')} passed, ${sum('numFailedTests') + brokenFiles} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
