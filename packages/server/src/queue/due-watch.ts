// One look at the database for everything that waits for something there: which queues have work that is due, and
// whether keys have changed. All of a node's questions about one database are asked in one statement, so that an idle
// node costs two statements a second however many queues there are. Whoever commits wakes its own worker at once; this
// finds what other nodes committed, what a lease gave back, and what was put off until now.
import { type Database, isConnectionLoss } from '../database/pool.js'
import { join, type Sql, sql } from '../database/sql.js'
import { type Polling, polling } from './poller.js'

export interface Question<T = unknown> {
  /** A query for one value, which an index answers in microseconds. Its text is the same every time. */
  readonly ask: () => Sql
  readonly hear: (answer: T, askedAtMs: number) => void | Promise<void>
  readonly onTrouble: (error: Error) => void
}

/** Takes the question back; settles when no answer to it is on its way. */
export type Unwatch = () => Promise<void>

const EVERY_MS = 500

interface Watch {
  readonly questions: Set<Question>
  readonly looking: Polling
}

const watches = new WeakMap<Database, Watch>()

/** Asks with all other questions of this node, until it is taken back. */
export function watch<T>(database: Database, { ask, hear, onTrouble }: Question<T>): Unwatch {
  const { questions, looking } = watchOf(database)
  const question: Question = { ask, hear: (answer, askedAtMs) => hear(answer as T, askedAtMs), onTrouble }
  questions.add(question)
  looking.start()
  return async () => {
    questions.delete(question)
    if (questions.size === 0) await looking.stop()
  }
}

/** Wakes a worker whenever the query finds a row. */
export const whenDue = (
  database: Database,
  findDue: () => Sql,
  wake: () => void,
  onTrouble: (error: Error) => void,
): Unwatch =>
  watch<boolean>(database, {
    ask: () => sql`select exists (${findDue()})`,
    hear: (isDue) => (isDue ? wake() : undefined),
    onTrouble,
  })

function watchOf(database: Database): Watch {
  const known = watches.get(database)
  if (known) return known
  const questions = new Set<Question>()
  const onTrouble = (error: Error) => [...questions][0]?.onTrouble(error)
  const made = { questions, looking: polling(EVERY_MS, () => askAll(database, [...questions]), onTrouble) }
  watches.set(database, made)
  return made
}

/** Where the statement fails though the database is there, each is asked alone: one bad question harms no other. */
async function askAll(database: Database, questions: readonly Question[]): Promise<void> {
  if (questions.length === 0) return
  try {
    await askTogether(database, questions)
  } catch (error) {
    if (questions.length === 1 || isConnectionLoss(error)) throw error
    for (const question of questions) await askTogether(database, [question]).catch(question.onTrouble)
  }
}

async function askTogether(database: Database, questions: readonly Question[]): Promise<void> {
  const askedAtMs = Date.now()
  const asked = questions.map(({ ask }) => sql`(${ask()})`)
  const [answers = []] = await database.read(sql`select ${join(asked, ', ')}`)
  for (const [index, { hear }] of questions.entries()) await hear(answers[index], askedAtMs)
}
