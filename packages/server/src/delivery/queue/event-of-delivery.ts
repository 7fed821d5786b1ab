// Which event a delivery brings: its bytes are what is sent.

/**
 * Whose the event may be: that of a subscription of the platform is under the tenant it happened to, or under the
 * platform itself, where it was brought from another server or left behind by a tenant that has moved.
 */
const ownersOf = (delivery: string): readonly string[] => [
  `coalesce(${delivery}.event_tenant_id, ${delivery}.tenant_id)`,
  `${delivery}.tenant_id`,
]

/** Whether `e` is the event of the delivery of that name. */
export const isEventOf = (delivery: string): string =>
  `e.id = ${delivery}.event_id and e.tenant_id in (${ownersOf(delivery).join(', ')})`

/** A row for each tenant under which the event of a delivery may be. */
export const tenantsOfEvent = (delivery: string): string =>
  `(values ${ownersOf(delivery)
    .map((owner) => `(${owner})`)
    .join(', ')})`
