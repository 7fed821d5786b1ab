// Why a recording could not be fetched, in a word that its voicemail can show, and whether it is worth another try.

export type FetchError =
  | 'blocked_address'
  | 'dns_error'
  | 'timeout'
  | 'connection_failed'
  | 'tls_error'
  | 'too_many_redirects'
  | 'not_audio'
  | 'unsupported_type'
  | 'too_large'
  | 'bad_encoding'
  | 'empty'
  | `http_${number}`

export class FetchFailure extends Error {
  override readonly name = 'FetchFailure'

  constructor(
    readonly error: FetchError,
    /** Nothing that happens later will change it. */
    readonly isFinal: boolean,
  ) {
    super(error)
  }
}

/**
 * A recording may not be ready yet, or be one too many for a moment; whatever else a server refuses, it will go on
 * refusing.
 */
const passing: readonly number[] = [404, 408, 409, 423, 425, 429]

export const refusedWith = (status: number): FetchFailure =>
  new FetchFailure(`http_${status}`, status < 500 && !passing.includes(status))

/** When a fetch that failed is tried again; undefined when it is given up. `attempts` counts the one that failed. */
export function nextTry(
  { isFinal }: FetchFailure,
  attempts: number,
  delaysMs: readonly number[],
  now: Date,
): Date | undefined {
  const delayMs = isFinal ? undefined : delaysMs[attempts - 1]
  return delayMs === undefined ? undefined : new Date(now.getTime() + delayMs)
}
