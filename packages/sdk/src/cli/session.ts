// What a command works with: who is logged in, where, and how to show what comes of it.
import { Parley } from '../client.js'
import type { ParleyOptions } from '../options.js'
import { type Config, configPath, type Environment, profileOf, readConfig } from './config-file.js'
import { CliError, UsageError } from './failure.js'
import { createTerminal, type Terminal } from './terminal.js'

export interface Session {
  readonly env: Environment
  readonly terminal: Terminal
  readonly isJson: boolean
  readonly options: GlobalOptions
  readonly stdin: NodeJS.ReadStream
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal
  /** Base URL and key; fails when nobody has logged in. */
  account(): Promise<Account>
  /** A client for the account. */
  client(options?: Partial<ParleyOptions>): Promise<Parley>
  /** The result: as JSON when that is asked for, else as `show` puts it. */
  print(result: unknown, show: () => string): void
}

export interface Account {
  readonly baseUrl: string
  readonly apiKey: string
  /** Where the key was found. */
  readonly keyFrom: string
}

/** What every command takes. */
export interface GlobalOptions {
  readonly json?: boolean
  readonly profile?: string
  readonly apiKey?: string
}

export const defaultBaseUrl = 'http://127.0.0.1:3000'

export function createSession(
  from: Pick<NodeJS.Process, 'stdout' | 'stderr' | 'stdin' | 'env'>,
  options: GlobalOptions,
  signal: AbortSignal,
): Session {
  const terminal = createTerminal(from)
  const isJson = options.json === true
  const account = async () => accountOf(from.env, await readConfig(from.env), options)
  return {
    env: from.env,
    terminal,
    isJson,
    options,
    stdin: from.stdin,
    signal,
    account,
    client: async (more) => {
      const { apiKey, baseUrl } = await account()
      return new Parley({ apiKey, baseUrl, ...more })
    },
    print: (result, show) => terminal.out(isJson ? JSON.stringify(result, null, 2) : show()),
  }
}

/**
 * For work of many requests: sits out full buckets for as long as that takes, but a service that is away no longer than
 * a restart takes, and says so.
 */
export function patientClient({ client, terminal, signal }: Session): Promise<Parley> {
  let isAway = false
  const noting: typeof globalThis.fetch = async (input, init) => {
    try {
      const response = await fetch(input, init)
      isAway = false
      return response
    } catch (error) {
      if (!isAway && !signal.aborted) {
        terminal.progress('')
        terminal.note('The service is away; coming back…')
      }
      isAway = true
      throw error
    }
  }
  return client({ maxRetries: 5, maxWaits: 1_000, fetch: noting })
}

/** A flag wins over the environment, and that over what was stored. A named profile brings its address along. */
export function accountOf(env: Environment, config: Config, options: GlobalOptions): Account {
  const name = options.profile ?? (env['PARLEY_API_KEY'] ? undefined : env['PARLEY_PROFILE'] || undefined)
  const profile = profileOf(config, name)
  if (profile === undefined) throw noProfile(name ?? '', config)
  const fromEnv = name === undefined ? env : {}
  const apiKey = options.apiKey || fromEnv['PARLEY_API_KEY'] || profile.apiKey
  if (!apiKey)
    throw new CliError(
      'You are not logged in.',
      'Run `parley login`, give --api-key, or set PARLEY_API_KEY and PARLEY_BASE_URL.',
    )
  const stored = configPath(env) + (name === undefined ? '' : ` (${name})`)
  const keyFrom = options.apiKey ? '--api-key' : fromEnv['PARLEY_API_KEY'] ? 'PARLEY_API_KEY' : stored
  return { apiKey, baseUrl: fromEnv['PARLEY_BASE_URL'] || profile.baseUrl || defaultBaseUrl, keyFrom }
}

const noProfile = (name: string, { profiles = {} }: Config): UsageError =>
  new UsageError(
    `There is no profile ${name}.`,
    `Make it with \`parley login --name ${name}\`. Known: ${Object.keys(profiles).join(', ') || 'none'}.`,
  )

export const isLive = ({ apiKey }: Account): boolean => apiKey.startsWith('ak_live_')

/** A page of the service beside its API. */
export const addressOf = ({ baseUrl }: Account, page: string): string =>
  baseUrl.replace(/\/+$/, '').replace(/\/api\/v1$/, '') + page
