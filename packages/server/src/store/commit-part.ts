// What the one statement of a commit is made of.
import type { Sql } from '../database/sql.js'

/** Whose change it is and when it happens. */
export interface Context {
  readonly tenantId: string
  readonly organizationId: string
  readonly environment: string
  readonly now: Date
}

/** A part of the statement: a CTE and, where it must touch rows, how many. */
export interface Part {
  readonly name: string
  readonly body: Sql
  readonly rows?: number | undefined
}
