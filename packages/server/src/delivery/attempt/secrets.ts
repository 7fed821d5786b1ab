// The signing secrets of a subscription as they are sealed beside its record: the current one, and the one before it
// while its grace lasts.

export interface SealedSecrets {
  readonly current: string
  readonly previous?: { readonly secret: string; readonly expiresAt: string } | undefined
}

/** The secrets that sign now, the newest first. */
export function signingSecrets({ current, previous }: SealedSecrets, now: Date): readonly string[] {
  return previous !== undefined && new Date(previous.expiresAt) > now ? [current, previous.secret] : [current]
}

/** A new secret in front; the one before keeps signing until the grace ends. What was before that is forgotten. */
export function rotatedSecrets({ current }: SealedSecrets, next: string, graceEndsAt: Date | null): SealedSecrets {
  return graceEndsAt === null
    ? { current: next }
    : { current: next, previous: { secret: current, expiresAt: graceEndsAt.toISOString() } }
}
