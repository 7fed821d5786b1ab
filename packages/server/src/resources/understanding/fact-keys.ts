// The fact definitions of an organization, as many as are listened for, and which of their keys are about no work.
import { factDefinitions, type Row } from '@parley/contract'
import type { Reader } from '../../store/reader.js'

const DEFINITIONS_MAX = 500

export const definitionsOf = (read: Reader): Promise<Row<typeof factDefinitions>[]> =>
  read.find(factDefinitions, {}, DEFINITIONS_MAX)

/** Facts about a person, a company or a customer are no part of a work record. */
export async function personalKeys(read: Reader): Promise<ReadonlySet<string>> {
  const ofWork = ['work_record', 'polymorphic']
  const definitions = await definitionsOf(read)
  return new Set(definitions.filter(({ subjectScope }) => !ofWork.includes(subjectScope)).map(({ key }) => key))
}
