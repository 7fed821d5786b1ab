// Which states work may move to from where it is, why not, and the way back.
import { canMove, type RecordState, recordStateMoves, recordStates } from '@parley/contract/states'
import type { WorkRecord } from '@parley/sdk'
import { text } from '../../text'

export const columns = ['active', 'blocked', 'completed', 'canceled'] as const satisfies readonly RecordState[]
export type Column = (typeof columns)[number]

const isState = (value: string): value is RecordState => recordStates.some((one) => one === value)
export const stateOf = ({ recordState }: Pick<WorkRecord, 'recordState'>): RecordState =>
  isState(recordState) ? recordState : 'active'

/** Why it may not move there; undefined when it may. */
export function whyNot(from: RecordState, to: RecordState): string | undefined {
  if (from === to) return text.work.isThere(text.work.states[to])
  if (canMove(recordStateMoves, from, to)) return undefined
  const allowed = recordStateMoves[from].map((state) => text.work.states[state])
  return text.work.cannotMove(text.work.states[from], text.work.states[to], allowed)
}

/** The moves that undo one. What is over has to become active before it can be anything else. */
export const wayBack = (from: RecordState, to: RecordState): readonly RecordState[] =>
  canMove(recordStateMoves, to, from) ? [from] : ['active', from]
