// `parley trigger`: makes an event happen for real, in the sandbox, and shows it as it was logged.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Parley } from '../../client.js'
import type { ParleyEvent } from '../../events.js'
import type { EventType } from '../../generated/events.js'
import { fieldsOf } from '../body-options.js'
import { CliError, UsageError } from '../failure.js'
import { isLive, type Session } from '../session.js'
import { triggers } from './triggers.js'

const isKnown = (type: string): type is EventType => Object.hasOwn(triggers, type)

export async function trigger(session: Session, type: string, { override }: { override: string[] }): Promise<void> {
  if (!isKnown(type)) throw new UsageError(`There is no event ${type}.`, `Known: ${Object.keys(triggers).join(', ')}.`)
  const fields = fieldsOf(override, '--override ')
  if (isLive(await session.account()))
    throw new CliError(
      'This is a live key: events are triggered in the sandbox only.',
      'Take an ak_test_ key: --api-key, --profile, or `parley login`.',
    )
  const parley = await session.client()
  const event = await fired(session, parley, type, await triggers[type](parley, fields))
  session.print(
    event,
    () => `${event.type} happened as ${event.eventId}. \`parley events get ${event.eventId}\` shows it whole.`,
  )
}

/** The event in the log. Most are there at once; a text is sent by the outbox, a moment later. */
async function fired({ signal }: Session, parley: Parley, type: EventType, subjectId: string): Promise<ParleyEvent> {
  for (let look = 0; look < 50; look += 1) {
    const [event] = (await parley.events.list({ type, subjectId, limit: 1 })).data
    if (event) return event
    await sleep(200, undefined, { signal })
  }
  throw new CliError(
    `${type} did not happen within 10 seconds.`,
    'Is a worker running? Check the service with `parley status` and its log.',
  )
}
