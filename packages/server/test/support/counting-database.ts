// A database that counts the statements that go through it.
import type { Database } from '../../src/database/pool.js'

export function countingDatabase(database: Database): { database: Database; count(): number } {
  let statements = 0
  const counted = <T>(run: () => T): T => {
    statements++
    return run()
  }
  return {
    database: {
      ...database,
      read: (statement) => counted(() => database.read(statement)),
      query: (statement, options) => counted(() => database.query(statement, options)),
    },
    count: () => statements,
  }
}
