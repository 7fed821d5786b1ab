// What the client says of its requests, to whoever wants to hear it. No key, header or body is ever in it, and what was
// asked for (the query) only at `debug`.

const levels = ['off', 'error', 'warn', 'info', 'debug'] as const

/**
 * `error`: what has failed for good. `warn`: what is tried again besides. `info`: every answer besides. `debug`: every
 * attempt besides, with its query.
 */
export type LogLevel = (typeof levels)[number]
type Loud = Exclude<LogLevel, 'off'>

/** `console` is one, and so is the logger of most programs. */
export type Logger = { readonly [Level in Loud]: (message: string, details: object) => void }

export type Say = (level: Loud, message: string, details: object) => void

/** Says what is not above the level. */
export function leveled(logger: Logger, level: string): Say {
  const most = levels.findIndex((one) => one === level)
  return (at, message, details) => {
    if (levels.indexOf(at) <= most) logger[at](message, details)
  }
}
