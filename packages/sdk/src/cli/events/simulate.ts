// `parley simulate`: plays a conversation in the sandbox, and shows transcript, facts and draft as they come.
import type { Parley } from '../../client.js'
import type { CallSurface, Segment } from '../../generated/records.js'
import { CliError } from '../failure.js'
import { numberOf } from '../number-options.js'
import { isLive, type Session } from '../session.js'
import { plain } from '../terminal.js'

interface SimulateOptions {
  script?: string
  speed?: string
}

export async function simulate(session: Session, scenario: string, { script, speed }: SimulateOptions): Promise<void> {
  const pace = speed === undefined ? {} : { speed: numberOf(speed, '--speed') }
  if (isLive(await session.account()))
    throw new CliError(
      'This is a live key: conversations are simulated in the sandbox only.',
      'Take an ak_test_ key: --api-key, --profile, or `parley login`.',
    )
  const parley = await session.client()
  const begun = await parley.sandbox.simulate({ scenario, ...(script && { script }), ...pace })
  if (!begun.callId) return session.print(begun, () => `Played ${scenario}: ${begun.smsId ?? begun.voicemailId}`)
  const surface = await watch(session, parley, begun.callId)
  session.print(
    session.isJson ? surface : begun,
    () => `${surface?.call.status ?? 'ended'}: \`parley get calls ${begun.callId}\` shows the call.`,
  )
}

/** Follows the call to its end. What was shown once is not shown again. */
async function watch(session: Session, parley: Parley, callId: string): Promise<CallSurface | undefined> {
  const shown = new Set<string>()
  let last: CallSurface | undefined
  for await (const message of parley.calls.stream(callId, { signal: session.signal })) {
    if (message.event === 'transcript') showOnce(session, shown, message.data.segments.flatMap(lineOf))
    if (message.event !== 'surface') continue
    last = message.data
    showOnce(session, shown, linesOf(last))
    if (!last.live) break
  }
  return last
}

type Line = readonly [once: string, text: string]

const lineOf = ({ sequence, speaker, text, isFinal }: Segment): Line[] =>
  isFinal ? [[`said ${sequence}`, `${speaker.padEnd(8)} ${plain(text)}`]] : []

function linesOf({ transcript, facts, signals, draft }: CallSurface): Line[] {
  return [
    ...transcript.tail.flatMap(lineOf),
    ...facts.map(
      ({ id, key, value, status }): Line => [`fact ${id} ${status}`, `fact     ${key} = ${plain(value)} (${status})`],
    ),
    ...signals.map(({ id, kind, confidence }): Line => [`signal ${id}`, `signal   ${kind} (${confidence})`]),
    ...(draft
      ? [
          [
            `draft ${draft.id} ${draft.status} ${draft.title}`,
            `draft    ${plain(draft.title ?? draft.summary)} (${draft.status})`,
          ] as Line,
        ]
      : []),
  ]
}

function showOnce({ terminal, isJson }: Session, shown: Set<string>, lines: readonly Line[]): void {
  if (isJson) return
  for (const [once, text] of lines) {
    if (shown.has(once)) continue
    shown.add(once)
    terminal.out(
      text.startsWith('fact') || text.startsWith('draft') || text.startsWith('signal')
        ? terminal.paint('cyan', text)
        : text,
    )
  }
}
