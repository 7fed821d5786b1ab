// A marker for what must not be sent: waits until the workers have looked at everything, instead of for a while.
import type { Service } from '../service.js'
import { ok, subscriber } from './sending.js'
import { subscribe, until } from './webhooks.js'
import { addDeliveries } from './workers.js'

/** Afterwards whatever was due when this was called has been seen by a worker, and begun if it may be sent. */
export async function afterSweeps(service: Service): Promise<void> {
  const { url, received } = await subscriber(ok)
  const { id } = await subscribe((await service.organization('Marker')).sandbox, url)
  // No commit tells of these, so that only a sweep finds them. The second one may begin before the first has ended, and
  // has ended when its delivery arrives.
  for (let count = 1; count <= 2; count++) {
    await addDeliveries(service.database, id, 1)
    await until(() => received.length === count)
  }
}

/** A number of the service, summed over its labels. */
export async function metricOf({ url }: Service, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return [...text.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].reduce(
    (sum, [, value]) => sum + Number(value),
    0,
  )
}
