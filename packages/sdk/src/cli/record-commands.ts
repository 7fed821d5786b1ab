// Records of any entity: list, get, create, update, delete. `get` and `delete` take a path as well.
import type { Command } from 'commander'
import type { AnyRecord } from '../resources/verbs.js'
import { type DataOptions, typedBody } from './body-options.js'
import { examples } from './examples.js'
import { UsageError } from './failure.js'
import { countOf } from './number-options.js'
import type { Bind } from './program.js'
import { confirm } from './prompt.js'
import { send } from './request-commands.js'
import type { Session } from './session.js'
import { fields, table } from './terminal.js'

const dataHelp = `
Fields are given as name=text or name:=json, or all together with --data.

Examples:
  $ parley create tasks title="Call back" priority=high
  $ parley create people displayName=Dana customFields:='{"tier":"gold"}'
  $ parley update work-records 0190… recordState=completed
  $ cat person.json | parley create people --data -`

export function addRecordCommands(program: Command, bind: Bind): void {
  program
    .command('list')
    .argument('<entity>', 'a slug, such as people; `parley schema` lists them')
    .option('-f, --filter <name=value>', 'only records with this value; may be repeated', collect, [])
    .option('-q, --query <text>', 'only records with these words')
    .option('-s, --sort <field>', 'by this time, such as dueAt, earliest first; -dueAt for latest first')
    .option('-n, --limit <number>', 'how many at most', '20')
    .option('--columns <names>', 'which fields to show, separated by commas')
    .description('list records, newest first unless sorted')
    .addHelpText(
      'after',
      examples(
        'parley list work-records -f kind=job -f status=new',
        'parley list tasks --sort dueAt -f dueAtBefore=2026-02-01T00:00:00Z',
        'parley list people -q "dana" --columns id,displayName,primaryPhone',
      ),
    )
    .action(bind(list))
  program
    .command('get')
    .argument('<entity|path>', 'a slug such as people, or a path such as /people?limit=2')
    .argument('[id]')
    .description('show one record, or what any path answers')
    .addHelpText('after', examples('parley get people 0190…', 'parley get calls 0190… --json', 'parley get "/stats"'))
    .action(bind(get))
  const writing = (name: string, description: string) =>
    program
      .command(name)
      .description(description)
      .option('-d, --data <json>', 'the body; @file reads a file, - standard input')
      .addHelpText('after', dataHelp)
  writing('create', 'create a record')
    .argument('<entity>')
    .argument('[fields...]')
    .option('--idempotency-key <key>', 'the same key again makes no second record')
    .action(bind(create))
  writing('update', 'change some fields of a record')
    .argument('<entity>')
    .argument('<id>')
    .argument('[fields...]')
    .action(bind(update))
  program
    .command('delete')
    .argument('<entity|path>', 'a slug such as tasks, or a path such as /tasks/0190…')
    .argument('[id]')
    .option('-y, --yes', 'do not ask at a terminal')
    .description('delete a record, or send a DELETE request to any path')
    .addHelpText('after', examples('parley delete tasks 0190…', 'parley delete /tasks/0190… --yes'))
    .action(bind(remove))
}

export const collect = (value: string, all: readonly string[]): string[] => [...all, value]

/** `name=value` pairs as a query. */
export function filtersOf(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at < 1)
        throw new UsageError(`--filter ${pair} is not of the form name=value.`, 'For example: --filter status=open')
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
}

interface ListOptions {
  filter: string[]
  query?: string
  sort?: string
  limit: string
  columns?: string
}

async function list(session: Session, entity: string, options: ListOptions): Promise<void> {
  const max = countOf(options.limit)
  const paged = entity === 'phone-numbers' ? {} : { limit: Math.min(max, 100) }
  const query = {
    ...filtersOf(options.filter),
    ...(options.query && { q: options.query }),
    ...(options.sort && { sort: options.sort }),
    ...paged,
  }
  const records = await (await session.client()).entity(entity).list(query).toArray({ max })
  session.print(records, () =>
    records.length === 0 ? 'Nothing matches.' : asTable(records, columnsOf(records, options), session.terminal.width),
  )
}

/** The id, what a record is called, and what filters often ask for; as many as fit. */
const usual = [
  'id',
  'number',
  'displayName',
  'name',
  'title',
  'key',
  'kind',
  'e164',
  'body',
  'callerNumber',
  'canonicalKind',
  'direction',
  'from',
  'to',
  'status',
  'createdAt',
]

/** Those that are asked for, else the usual ones that these records have, with the one that they are sorted by. */
function columnsOf(
  records: readonly AnyRecord[],
  { columns, sort = '' }: Pick<ListOptions, 'columns' | 'sort'>,
): string[] {
  if (columns !== undefined) return columns.split(',')
  const names = new Set(['id', sort.replace(/^-/, ''), ...usual])
  return [...names].filter((name) => records.some((record) => record[name] !== undefined && record[name] !== null))
}

function asTable(records: readonly AnyRecord[], shown: readonly string[], width: number): string {
  const rows = records.map((record) => shown.map((name) => record[name]))
  return table(shown, rows, width)
}

async function get(session: Session, entity: string, id: string | undefined): Promise<void> {
  if (id === undefined) return send(session, 'GET', asPath(entity, 'get'))
  const record = await (await session.client()).entity(entity).get(id)
  session.print(record, () => fields(record))
}

async function create(session: Session, entity: string, given: string[], options: DataOptions): Promise<void> {
  const body = await bodyOf(session, given, options)
  const record = await (await session.client()).entity(entity).create(body, { idempotencyKey: options.idempotencyKey })
  session.print(record, () => fields(record))
}

async function update(
  session: Session,
  entity: string,
  id: string,
  given: string[],
  options: DataOptions,
): Promise<void> {
  const body = await bodyOf(session, given, options)
  const record = await (await session.client()).entity(entity).update(id, body)
  session.print(record, () => fields(record))
}

async function remove(
  session: Session,
  entity: string,
  id: string | undefined,
  { yes }: { yes?: boolean },
): Promise<void> {
  if (id === undefined) {
    const path = asPath(entity, 'delete')
    await confirm(session, `Delete ${path}`, yes)
    return send(session, 'DELETE', path)
  }
  await confirm(session, `Delete ${id} of ${entity}`, yes)
  await (await session.client()).entity(entity).delete(id)
  session.print({ id, deleted: true }, () => `${id} is deleted.`)
}

/** Whoever names an entity alone has forgotten the id. */
function asPath(typed: string, command: string): string {
  if (typed.includes('/')) return typed
  throw new UsageError(
    `Which of ${typed}? The id is missing.`,
    `For example: parley ${command} ${typed} 0190…; \`parley list ${typed}\` shows ids, and a path begins ` +
      'with a slash.',
  )
}

async function bodyOf(session: Session, given: readonly string[], options: DataOptions) {
  const body = await typedBody(session, given, options)
  if (body === undefined || Object.keys(body).length === 0)
    throw new UsageError('No fields were given.', dataHelp.trim())
  return body
}
