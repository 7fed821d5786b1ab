// The version of the package, written in when the command line is bundled.

declare const PARLEY_VERSION: string | undefined

export const version = typeof PARLEY_VERSION === 'string' ? PARLEY_VERSION : '0.0.0'
