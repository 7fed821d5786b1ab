// `parley events resend`: one event again, to the webhooks that it was for.
import type { Parley } from '../../client.js'
import type { Delivery } from '../../generated/shapes.js'
import { CliError } from '../failure.js'
import type { Session } from '../session.js'

export async function resend(session: Session, eventId: string, { webhook }: { webhook?: string }): Promise<void> {
  const parley = await session.client()
  const { type } = await parley.events.get(eventId)
  const ids = webhook === undefined ? await activeIds(parley) : [webhook]
  const queued: Delivery[] = []
  for (const id of ids) {
    const delivery = await deliveryOf(parley, id, eventId)
    if (delivery) queued.push(await sentAgain(parley, id, delivery))
  }
  if (queued.length === 0)
    throw new CliError(
      `${type} ${eventId} was for no ${webhook === undefined ? 'active webhook' : 'such webhook'}.`,
      'Events go to the webhooks that were there when they happened; `parley trigger` makes a new one.',
    )
  session.print(queued, () => queued.map(({ id }) => `${type} is on its way as delivery ${id}.`).join('\n'))
}

/** One that has not come through yet is on its way as it is. */
async function sentAgain(parley: Parley, webhook: string, delivery: Delivery): Promise<Delivery> {
  if (delivery.status === 'PENDING' || delivery.status === 'RETRYING') return delivery
  return parley.webhooks.replayDelivery(webhook, delivery.id, { force: true })
}

async function activeIds(parley: Parley): Promise<string[]> {
  const all = await parley.webhooks.list({ status: 'active', limit: 100 }).toArray()
  return all.map(({ id }) => id)
}

/** The search looks at more than the id. */
async function deliveryOf(parley: Parley, webhook: string, eventId: string): Promise<Delivery | undefined> {
  const { data } = await parley.webhooks.deliveries(webhook, { q: eventId, limit: 10 })
  return data.find((one) => one.eventId === eventId)
}
