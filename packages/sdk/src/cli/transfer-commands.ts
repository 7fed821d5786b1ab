// Whole files in and out: import and export.
import type { Command } from 'commander'
import { examples } from './examples.js'
import { exportRecords } from './export.js'
import { type ImportOptions, importFile } from './import.js'
import { type ImportJobOptions, importInBackground } from './import-job.js'
import type { Bind } from './program.js'
import { collect } from './record-commands.js'
import type { Session } from './session.js'

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
    .option('--format <format>', 'ndjson or csv; by the name of the file unless said, else ndjson')
    .option('--quote-formulas', 'in CSV, put an apostrophe before what a spreadsheet would run: = + - @')
    .description('write every record, newest first: one JSON object a line, or CSV')
    .addHelpText(
      'after',
      examples(
        'parley export people > people.ndjson',
        'parley export work-records -f kind=job --out jobs.csv',
        'parley export people --format csv --quote-formulas > people.csv',
      ),
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
