// Addresses that refused or swallowed a connection lately, so that a name with one dead address does not pay for it at
// every new connection.

const rememberedMs = 60_000
const addressesMax = 1_000

export interface Unreachable {
  has(address: string): boolean
  add(address: string): void
}

export function createUnreachable(): Unreachable {
  const since = new Map<string, number>()
  return {
    has: (address) => performance.now() - (since.get(address) ?? Number.NEGATIVE_INFINITY) < rememberedMs,
    add(address) {
      since.delete(address)
      since.set(address, performance.now())
      const [oldest] = since.keys()
      if (since.size > addressesMax && oldest !== undefined) since.delete(oldest)
    },
  }
}
