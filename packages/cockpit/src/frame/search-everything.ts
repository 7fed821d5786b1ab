// What the command bar finds besides commands: people and work by what is typed.
import { UserRound, Wrench } from 'lucide-react'
import type { Place } from '../api/place'
import { text } from '../text'
import { phoneText } from '../ui/words'
import type { Command } from './commands'

const SHOWN = 5

export async function searchCommands(
  { parley, at }: Place,
  q: string,
  go: (href: string) => void,
  signal: AbortSignal,
): Promise<readonly Command[]> {
  const [people, work] = await Promise.all([
    parley.people.list({ q, limit: SHOWN }, { signal }),
    parley.workRecords.search({ q, limit: SHOWN }, { signal }),
  ])
  return [
    ...people.data.map(({ id, displayName, primaryPhone }) => ({
      id,
      label: displayName,
      detail: primaryPhone === null ? undefined : phoneText(primaryPhone),
      kind: text.kinds.person,
      icon: UserRound,
      run: () => go(at('people', id)),
    })),
    ...work.data.map(({ id, title, number }) => ({
      id,
      label: title,
      detail: number,
      kind: text.kinds.work,
      icon: Wrench,
      run: () => go(at('work', id)),
    })),
  ]
}
