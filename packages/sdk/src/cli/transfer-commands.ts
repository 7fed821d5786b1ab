// Whole files in and out: import and export.
import { type Command, Option } from 'commander'
import { examples } from './examples.js'
import { exportRecords } from './export.js'
import { importFile } from './import.js'
import type { Bind } from './program.js'
import { collect } from './record-commands.js'

const importHelp = `
The first line of a CSV file names the fields. customFields.tier sets a key within a field; tags:json holds JSON.
The file is sent as it is (.gz too) and the service writes it, also when this command ends: the same command watches it
again, and sends the rest of a file that was interrupted. With --external-id or --match-by a row that was imported
before is updated. Refused rows come back in <file>.errors.csv.

Examples:
  $ parley import people.csv --entity people
  $ parley import people.csv --entity people --map Phone=primaryPhone --country US --dry-run
  $ parley import jobs.ndjson --entity work-records --external-id jobNumber --system fieldbook`

export function addTransferCommands(program: Command, bind: Bind): void {
  program
    .command('import')
    .argument('<file>', 'an .ndjson or .csv file')
    .requiredOption('--entity <slug>', 'what the rows are, for example people')
    .option('--external-id <column>', 'the column that says what the record is called in your system')
    .option('--system <name>', 'what your system is called', 'import')
    .option('--skip <column>', 'a column to leave out; may be repeated', collect, [])
    .option('--map <column=field>', 'the field that a column fills; may be repeated', collect, [])
    .option('--match-by <what>', 'which record a row updates: externalRefs, phone or email')
    .option('--country <code>', 'the country of numbers that name none, such as US')
    .option('--dry-run', 'only try the rows')
    .option('--silent', 'tell no webhooks')
    .option('--restart', 'begin again, although a run was interrupted or has finished')
    // Taken for the sake of scripts that give them: every import is written by the service.
    .addOption(new Option('--background').hideHelp())
    .addOption(new Option('--concurrency <number>').hideHelp())
    .description('create a record from every row of a file')
    .addHelpText('after', importHelp)
    .action(bind(importFile))
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
