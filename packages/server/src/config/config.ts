// Environment → frozen Config: six tables say every setting's name, kind, default and meaning, and the reference page
// is made from them. This is the only reader of process.env. It reports everything that is wrong at once, so that an
// operator mends it in one go.
import { limitSettings } from './limit-settings.js'
import { nearestName } from './nearest-name.js'
import { nodeSettings } from './node-settings.js'
import { outboundSettings } from './outbound-settings.js'
import { platformSettings } from './platform-settings.js'
import { providerSettings } from './provider-settings.js'
import type { Kind, Setting } from './setting-kinds.js'
import { signInSettings } from './sign-in-settings.js'
import { type TelemetryValues, telemetryOf, telemetrySettings } from './telemetry-settings.js'

const table = {
  ...nodeSettings,
  ...signInSettings,
  ...limitSettings,
  ...platformSettings,
  ...outboundSettings,
  ...providerSettings,
  ...telemetrySettings,
}

type Table = typeof table
type Value<S> = S extends { kind: Kind<infer T> } ? (S extends { default: string } ? T : T | undefined) : never
type Values = { readonly [Key in keyof Table]: Value<Table[Key]> }
type OidcKey =
  | 'oidcIssuer'
  | 'oidcAudience'
  | 'oidcOrgClaim'
  | 'oidcRoleClaim'
  | 'oidcClientId'
  | 'oidcClientSecret'
  | 'smtpUrl'
  | 'smtpFrom'

export interface Config extends Omit<Values, OidcKey | keyof TelemetryValues> {
  /** What goes to an OpenTelemetry collector; undefined when nothing does. */
  readonly telemetry: ReturnType<typeof telemetryOf>
  readonly openIdClient:
    | { readonly issuer: string; readonly clientId: string; readonly clientSecret: string }
    | undefined
  readonly smtp: { readonly url: string; readonly from: string } | undefined
  readonly oidc:
    | { readonly issuer: string; readonly audience: string; readonly orgClaim: string; readonly roleClaim: string }
    | undefined
}

/** The settings as data, in the order of the reference page. `default` is null where there is none. */
export const settings: readonly { readonly name: string; readonly default: string | null; readonly meaning: string }[] =
  Object.values<Setting>(table).map((setting) => ({
    name: setting.name,
    default: setting.default ?? null,
    meaning: setting.meaning,
  }))

export class ConfigError extends Error {
  override readonly name = 'ConfigError'

  constructor(readonly problems: readonly string[]) {
    super(['The settings are wrong:', ...problems].join('\n  '))
  }
}

export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const problems: string[] = []
  const entries = Object.entries<Setting>(table).map(([key, setting]) => [key, readSetting(setting, env, problems)])
  problems.push(...missingPartners(env), ...nothingToSign(env), ...nothingToArchive(env), ...unknownNames(env))
  if (problems.length > 0) throw new ConfigError(problems)
  return freezeDeeply(groupsOf(Object.fromEntries(entries) as Values))
}

/** Settings that make sense together only. */
function groupsOf(given: Values): Config {
  const values = withoutTelemetry(given)
  const { oidcIssuer, oidcAudience, oidcOrgClaim, oidcRoleClaim, oidcClientId, oidcClientSecret, ...others } = values
  const { smtpUrl, smtpFrom, ...rest } = others
  return {
    ...rest,
    telemetry: telemetryOf(given),
    oidc:
      oidcIssuer && oidcAudience
        ? { issuer: oidcIssuer, audience: oidcAudience, orgClaim: oidcOrgClaim, roleClaim: oidcRoleClaim }
        : undefined,
    openIdClient:
      oidcIssuer && oidcClientId && oidcClientSecret
        ? { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret }
        : undefined,
    smtp: smtpUrl && smtpFrom ? { url: smtpUrl, from: smtpFrom } : undefined,
  }
}

function withoutTelemetry(values: Values): Omit<Values, keyof TelemetryValues> {
  const rest: Partial<Values> = { ...values }
  for (const key of Object.keys(telemetrySettings)) Reflect.deleteProperty(rest, key)
  return rest as Values
}

/** An empty value counts as unset: a compose file writes `NAME=` for what it leaves out. */
function given(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name] === '' ? undefined : env[name]
}

function readSetting(setting: Setting, env: NodeJS.ProcessEnv, problems: string[]): unknown {
  const written = given(env, setting.name) ?? setting.default
  if (written === undefined) return undefined
  const value = setting.kind.read(written)
  if (value === undefined)
    problems.push(`${setting.name} is ${setting.kind.show(written)}; expected ${setting.kind.expected}`)
  return value
}

function missingPartners(env: NodeJS.ProcessEnv): string[] {
  const needs = [
    ['DATABASE_URL', 'PARLEY_SECRET', 'at least 16 characters, the same on every node'],
    ['DATABASE_READ_URL', 'DATABASE_URL', 'the primary that its servers are standbys of'],
    ['DATABASE_SHARDS', 'DATABASE_URL', 'the server that is the directory'],
    // With a client people sign in at the issuer; without one its tokens are taken, which need an audience.
    ...(given(env, 'PARLEY_OIDC_CLIENT_ID') === undefined
      ? [['PARLEY_OIDC_ISSUER', 'PARLEY_OIDC_AUDIENCE', 'the audience that the cookie is made for'] as const]
      : []),
    ['PARLEY_OIDC_AUDIENCE', 'PARLEY_OIDC_ISSUER', 'the https URL of the issuer'],
    ['PARLEY_OIDC_CLIENT_ID', 'PARLEY_OIDC_ISSUER', 'the https URL of the issuer'],
    ['PARLEY_OIDC_CLIENT_ID', 'PARLEY_OIDC_CLIENT_SECRET', 'the secret of that client'],
    ['PARLEY_OIDC_CLIENT_SECRET', 'PARLEY_OIDC_CLIENT_ID', 'the client whose secret it is'],
    ['PARLEY_SMTP_URL', 'PARLEY_SMTP_FROM', 'the address that mail comes from'],
    ['PARLEY_SMTP_FROM', 'PARLEY_SMTP_URL', 'the server that mail goes out by'],
  ] as const
  return needs
    .filter(([has, needed]) => given(env, has) !== undefined && given(env, needed) === undefined)
    .map(([has, needed, expected]) => `${needed} is not set; with ${has}, expected ${expected}`)
}

/** A database of one's own has an archive of its own. */
function nothingToArchive(env: NodeJS.ProcessEnv): string[] {
  return given(env, 'PARLEY_WAL_ARCHIVE')?.trim() && given(env, 'DATABASE_URL') !== undefined
    ? ['PARLEY_WAL_ARCHIVE is set; with DATABASE_URL, expected none: set archive_command of that server instead']
    : []
}

function nothingToSign(env: NodeJS.ProcessEnv): string[] {
  const isSigning = given(env, 'PARLEY_BLOBS_ADDRESSES') === 'store'
  return isSigning && !given(env, 'PARLEY_BLOBS_URL')?.startsWith('s3://')
    ? ['PARLEY_BLOBS_URL is not set to a bucket; with PARLEY_BLOBS_ADDRESSES=store, expected an s3:// address']
    : []
}

/** The client's settings are ignored, so that one `.env` file can serve both. */
const namesOfTheClient = ['PARLEY_API_KEY', 'PARLEY_BASE_URL']

function unknownNames(env: NodeJS.ProcessEnv): string[] {
  const known = new Set([...settings.map(({ name }) => name), ...namesOfTheClient])
  return Object.keys(env)
    .filter((name) => name.startsWith('PARLEY_') && !known.has(name) && given(env, name) !== undefined)
    .map((name) => `${name} is not a setting; did you mean ${nearestName(name, [...known])}?`)
}

function freezeDeeply<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(freezeDeeply)
  return Object.freeze(value)
}
