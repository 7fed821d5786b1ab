// Moves by a named action: may a record in this state take it, and what could it do instead.
import type { Move } from '@parley/contract'
import { illegalMove } from '../../store/api-error.js'

type NamedMoves = Readonly<Record<string, Move<string>>>

/** Refuses a move that its table does not have. */
export function requireMove<Moves extends NamedMoves>(moves: Moves, name: keyof Moves & string, from: string): void {
  const move = moves[name] as Move<string>
  if (!move.from.includes(from)) throw illegalMove(from, move.to, statesAfter(moves, from))
}

/** The states that some action leads to from here. */
export function statesAfter(moves: NamedMoves, from: string): string[] {
  const taken = Object.values(moves).filter((move) => move.from.includes(from))
  return [...new Set(taken.map(({ to }) => to))]
}
