// What the command line remembers: the base URL and key of each `parley login`, and the secret that `parley listen`
// signs with. Only its owner can read it.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError } from './failure.js'

export type Environment = Readonly<Record<string, string | undefined>>

/** What one login stored. */
export interface Profile {
  readonly baseUrl?: string
  readonly apiKey?: string
}

/** The login without a name, and those with one. */
export interface Config extends Profile {
  readonly listenSecret?: string
  readonly profiles?: Readonly<Record<string, Profile>>
}

const folder = (env: Environment, name: string, fallback: readonly string[]): string =>
  join(env[name] || join(env['HOME'] || homedir(), ...fallback), 'parley')

export const configPath = (env: Environment): string => join(folder(env, 'XDG_CONFIG_HOME', ['.config']), 'config.json')
export const statePath = (env: Environment, name: string): string =>
  join(folder(env, 'XDG_STATE_HOME', ['.local', 'state']), name)

export async function readConfig(env: Environment): Promise<Config> {
  const config = await readJsonFile(configPath(env))
  if (config === undefined) return {}
  if (typeof config !== 'object' || config === null) throw damaged(configPath(env))
  return config
}

export const writeConfig = (env: Environment, config: Config): Promise<void> =>
  writePrivate(configPath(env), `${JSON.stringify(config, null, 2)}\n`)

/** The login of this name, or the one without; undefined when there is none of that name. */
export const profileOf = (config: Config, name: string | undefined): Profile | undefined =>
  name === undefined ? config : Object.hasOwn(config.profiles ?? {}, name) ? config.profiles?.[name] : undefined

/** The settings with another login under this name, or without it. */
export function withProfile(config: Config, name: string | undefined, profile: Profile | undefined): Config {
  if (name === undefined) {
    const { apiKey: _, baseUrl = undefined, ...rest } = config
    return { ...rest, ...(baseUrl && { baseUrl }), ...profile }
  }
  const { [name]: _, ...others } = config.profiles ?? {}
  return { ...config, profiles: { ...others, ...(profile && { [name]: profile }) } }
}

/** The secret that stays the same from one `listen` to the next, so that a receiver is configured once. */
export async function listenSecret(env: Environment): Promise<string> {
  const config = await readConfig(env)
  if (config.listenSecret) return config.listenSecret
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  await writeConfig(env, { ...config, listenSecret: secret })
  return secret
}

/** Written beside and renamed, so that nobody ever reads half a file; mode 0600 from its first byte. */
export async function writePrivate(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.${process.pid}.tmp`
  try {
    await writeFile(beside, text, { mode: 0o600 })
    await chmod(beside, 0o600)
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw new CliError(
      `${path} cannot be written: ${(error as Error).message}`,
      'Check the permissions of the folder, or set XDG_CONFIG_HOME.',
    )
  }
}

/** Undefined when there is no such file. */
export async function readJsonFile(path: string): Promise<unknown> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CliError(`${path} cannot be read: ${(error as Error).message}`, 'Check its permissions.')
  }
  try {
    return JSON.parse(text)
  } catch {
    throw damaged(path)
  }
}

const damaged = (path: string): CliError =>
  new CliError(`${path} is damaged.`, 'Delete it and run `parley login` again.')
