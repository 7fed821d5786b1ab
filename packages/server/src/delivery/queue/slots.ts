// Shares the slots of a worker among tenants: a tenant may hold as many as would still be free, and no more. One tenant
// alone gets half of them; ten that hang get a share each and leave as much for whoever comes next.

/** What a claim must know of a tenant that holds something. */
export interface TenantSlots {
  readonly held: number
  /** How many more it may take. */
  readonly room: number
}

export class Slots {
  private readonly heldBy = new Map<string, number>()
  private free: number

  constructor(total: number) {
    this.free = total
  }

  take(tenantId: string): void {
    this.free--
    this.heldBy.set(tenantId, this.heldOf(tenantId) + 1)
  }

  giveBack(tenantId: string): void {
    this.free++
    const held = this.heldOf(tenantId) - 1
    if (held > 0) this.heldBy.set(tenantId, held)
    else this.heldBy.delete(tenantId)
  }

  /**
   * Room of a tenant that holds nothing. Also what one claim may take in all: many tenants at once must leave something
   * too.
   */
  get roomFirst(): number {
    return roomBeside(this.free, 0)
  }

  roomOf(tenantId: string): number {
    return roomBeside(this.free, this.heldOf(tenantId))
  }

  /** Those that hold something. */
  tenants(): Map<string, TenantSlots> {
    return new Map([...this.heldBy].map(([id, held]) => [id, { held, room: roomBeside(this.free, held) }]))
  }

  private heldOf(tenantId: string): number {
    return this.heldBy.get(tenantId) ?? 0
  }
}

/** Whoever takes this many holds about as many as are free then. */
const roomBeside = (free: number, held: number): number => Math.max(0, Math.ceil((free - held) / 2))
