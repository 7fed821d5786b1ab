// docs/reference/states.md: every state machine, as a picture and as a table.
import {
  callMoves,
  deliveryStatuses,
  draftMoves,
  draftStatuses,
  factMoves,
  factStatuses,
  phoneNumberMoves,
  recordStateMoves,
  smsMoves,
  subscriptionMoves,
} from '../../packages/contract/dist/index.js'
import { code, codes, mermaid, page, table } from './markdown.mjs'

export const statesPage = () =>
  page(
    '# States',
    'A move that is not drawn here is refused with 409 `conflict`, and `details` says `from`, `to` and what is `allowed`. Moving to where a record already is changes nothing and is no error.',
    free(
      'Work records: `recordState`',
      recordStateMoves,
      'active',
      'Sent with PATCH. `completed` sets `completedAt` and `closedAt`, `canceled` sets `closedAt`; reopening clears both. `status` and `stage` are your own words and move as you like.',
    ),
    named(
      'Drafts: `status`',
      draftMoves,
      draftStatuses,
      'draft',
      (move) => `POST /drafts/{id}/${move}`,
      'A draft is submitted by itself when its call ends, and can be edited only as `draft` and `pending_review`; its status is moved by the actions and not by PATCH. Approving makes the work record.',
    ),
    named(
      'Facts: `status`',
      factMoves,
      factStatuses,
      'proposed',
      (move) => `POST /facts/{id}/${move}`,
      'A proposed fact about a work record may be promoted at once; it is confirmed on the way. A fact becomes `superseded` when a fresher one about the same subject and key is confirmed.',
    ),
    free(
      'Phone numbers: `status`',
      phoneNumberMoves,
      'active',
      'Sent with PATCH. `retired` is final. Only an active number sends texts.',
    ),
    free(
      'Calls: `status`',
      callMoves,
      'ringing',
      'Reported by PATCH and `POST /calls/{id}/end`, whose `outcome` decides whatever was reported before. A report that comes late, after the end or of an earlier state, leaves the status as it is and is no error.',
    ),
    free(
      'Texts: `status`',
      smsMoves,
      'queued',
      'Reported by the carrier; a receipt that comes late changes nothing. Inbound texts are `received` from the start.',
    ),
    free(
      'Webhook subscriptions: `status`',
      subscriptionMoves,
      'active',
      'Sent with PATCH. Deleting one is final: it stays `disabled` with `revokedAt`. An endpoint that is gone or keeps failing is disabled by Parley. Events that match a paused or disabled subscription wait until it is active again.',
    ),
    `## Webhook deliveries: \`status\`\n\n${table(
      ['State', 'Meaning'],
      deliveryStatuses.map((status) => [code(status), deliveryMeanings[status]]),
    )}`,
  )

const deliveryMeanings = {
  PENDING: 'Waits for its first attempt, or for its subscription to be active.',
  SUCCEEDED: 'The endpoint answered 2xx.',
  FAILED: 'Not worth another try: the endpoint is gone, its address is forbidden, or the subscription was revoked.',
  RETRYING: 'An attempt failed; the next one is planned.',
  DEAD_LETTERED: 'Every attempt failed. It can be replayed.',
}

/** States that are sent or reported. */
function free(heading, moves, start, text) {
  const states = Object.keys(moves)
  const arrows = states.flatMap((from) => moves[from].map((to) => `  ${from} --> ${to}`))
  const rows = states.map((state) => [code(state), moves[state].length > 0 ? codes(moves[state]) : 'nothing: final'])
  return [`## ${heading}`, text, diagram(start, arrows), table(['From', 'To'], rows)].join('\n\n')
}

/** States that are reached by named actions. */
function named(heading, moves, states, start, how, text) {
  const arrows = Object.entries(moves).flatMap(([move, { from, to }]) =>
    from.map((state) => `  ${state} --> ${to}: ${move}`),
  )
  const rows = Object.entries(moves).map(([move, { from, to }]) => [code(how(move)), codes(from), code(to)])
  return [
    `## ${heading}`,
    text,
    `States: ${codes(states)}.`,
    diagram(start, arrows),
    table(['Action', 'From', 'To'], rows),
  ].join('\n\n')
}

const diagram = (start, arrows) => mermaid(['stateDiagram-v2', `  [*] --> ${start}`, ...arrows])
