// Whole files in and out: import and export.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { examples } from './examples.js'
import { CliError } from './failure.js'
import { type ImportOptions, importFile } from './import.js'
import { type ImportJobOptions, importInBackground } from './import-job.js'
import type { Bind } from './program.js'
import { collect, filtersOf } from './record-commands.js'
import { patientClient, type Session } from './session.js'

const importHelp = `
The first line of a CSV file names the fields. customFields.tier sets a key within a field; tags:json holds JSON.
An interrupted import goes on with the same command. With --external-id a row that was imported before is updated;
without it, each row is sent under a key made from the file and the row, which the service remembers for 24 hours.

With --background the file is sent as it is (.gz too) and the service writes it, a hundred rows at once, even if this
command ends; refused rows come back in <file>.errors.csv.

Examples:
  $ parley import people.csv --entity people
  $ parley import people.csv --entity people --background --map Phone=primaryPhone --country US
  $ parley import jobs.ndjson --entity work-records --external-id jobNumber --system fieldbook`

export function addTransferCommands(program: Command, bind: Bind): void {
  program
    .command('import')
    .argument('<file>', 'an .ndjson or .csv file')
    .requiredOption('--entity <slug>', 'what the rows are, for example people')
    .option('--external-id <column>', 'the column that says what the record is called in your system')
    .option('--system <name>', 'what your system is called', 'import')
    .option('--skip <column>', 'a column to leave out; may be repeated', collect, [])
    .option('--concurrency <number>', 'how many rows are under way at once', '4')
    .option('--background', 'let the service write the rows: for large files, and with what follows')
    .option('--map <column=field>', 'the field that a column fills; may be repeated', collect, [])
    .option('--match-by <what>', 'which record a row updates: externalRefs, phone or email')
    .option('--country <code>', 'the country of numbers that name none, such as US')
    .option('--dry-run', 'only try the rows')
    .option('--silent', 'tell no webhooks')
    .option('--restart', 'begin again, although a run was interrupted or has finished')
    .description('create a record from every row of a file')
    .addHelpText('after', importHelp)
    .action(bind(importRows))
  program
    .command('export')
    .argument('<entity>')
    .option('-o, --out <file>', 'write to a file instead of standard output')
    .option('-f, --filter <name=value>', 'only records with this value; may be repeated', collect, [])
    .option('-q, --query <text>', 'only records with these words')
    .description('write every record, newest first, one JSON object a line')
    .addHelpText(
      'after',
      examples('parley export people > people.ndjson', 'parley export work-records -f kind=job --out jobs.ndjson'),
    )
    .action(bind(exportRecords))
}

type ImportRowsOptions = ImportOptions & ImportJobOptions & { background?: boolean }

/** Row by row from here, or in the background at the service, which knows more. */
function importRows(session: Session, file: string, options: ImportRowsOptions): Promise<void> {
  const { background, map, matchBy, country, dryRun, silent } = options
  const isJob = background || map.length > 0 || matchBy !== undefined || country !== undefined || dryRun || silent
  return isJob ? importInBackground(session, file, options) : importFile(session, file, options)
}

interface ExportOptions {
  out?: string
  filter: string[]
  query?: string
}

async function exportRecords(session: Session, entity: string, { out, filter, query }: ExportOptions): Promise<void> {
  const { terminal, signal } = session
  const paged = entity === 'phone-numbers' ? {} : { limit: 100 }
  const asked = { ...filtersOf(filter), ...(query && { q: query }), ...paged }
  // A service that is away from the beginning is not waited for.
  await (await session.client()).schema({ signal })
  const records = (await patientClient(session)).entity(entity).list(asked, { signal })
  let count = 0
  async function* lines() {
    for await (const record of records) {
      count += 1
      yield `${JSON.stringify(record)}\n`
    }
  }
  if (out === undefined) await pipeline(Readable.from(lines()), process.stdout, { end: false })
  else {
    await pipeline(Readable.from(lines()), createWriteStream(out, { mode: 0o600 })).catch(
      (error: NodeJS.ErrnoException) => {
        throw error.path === undefined
          ? error
          : new CliError(`${out} cannot be written: ${error.message}`, 'Name another file with --out.')
      },
    )
  }
  if (out !== undefined && session.isJson) return terminal.out(JSON.stringify({ exported: count, file: out }))
  terminal.note(`${count} records exported${out ? ` to ${out}` : ''}.`)
}
