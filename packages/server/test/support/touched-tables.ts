// Which tables the statements of a piece of work read, as the plans of those statements tell it.
import type { Database } from '../../src/database/pool.js'
import { compile, type Sql } from '../../src/database/sql.js'

interface PlanNode {
  readonly 'Relation Name'?: string
  readonly 'Actual Loops': number
  readonly Plans?: readonly PlanNode[]
}

const readIn = (node: PlanNode): string[] => [
  ...(node['Actual Loops'] > 0 && node['Relation Name'] ? [node['Relation Name']] : []),
  ...(node.Plans ?? []).flatMap(readIn),
]

/** Those whose names begin with `prefix`, in the order of their names. */
export async function touchedTables(
  database: Database,
  prefix: string,
  work: (database: Database) => Promise<unknown>,
): Promise<string[]> {
  const statements: Sql[] = []
  await work({
    ...database,
    query: (statement, options) => {
      statements.push(statement)
      return database.query(statement, options)
    },
  })
  const touched = new Set<string>()
  for (const statement of statements) {
    const { text, values } = compile(statement)
    const explained = await database.withClient((client) =>
      client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (analyze, format json) ${text}`, values),
    )
    const plan = explained.rows[0]?.['QUERY PLAN'][0].Plan
    for (const name of plan ? readIn(plan) : []) if (name.startsWith(prefix)) touched.add(name)
  }
  return [...touched].sort()
}
