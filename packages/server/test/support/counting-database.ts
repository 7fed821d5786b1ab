// A database that counts the statements that go through it.
import type { Database } from '../../src/database/pool.js'
import { compile, type Sql } from '../../src/database/sql.js'

export function countingDatabase(database: Database): { database: Database; count(): number; texts: string[] } {
  const texts: string[] = []
  const note = (statement: Sql): Sql => {
    texts.push(compile(statement).text)
    return statement
  }
  return {
    database: {
      ...database,
      read: (statement) => database.read(note(statement)),
      query: (statement, options) => database.query(note(statement), options),
      withClient: (use) => {
        texts.push('a client of its own')
        return database.withClient(use)
      },
    },
    count: () => texts.length,
    texts,
  }
}
