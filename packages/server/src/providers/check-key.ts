// The check that most providers share: something cheap is read with the key, and the status says in plain words whether
// the key is good.
import type { CheckResult, ProviderApi, ProviderConnection } from './provider.js'
import { secretOf } from './signatures.js'

const CHECK_MS = 10_000

export interface KeyCheck {
  readonly label: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** What to do about a key that was refused. */
  readonly whenRefused?: string
  /** What to do about an address that knows nothing of the path. */
  readonly whenUnknown?: string
}

/** The key of a connection, as most providers want it. */
export const bearerOf = ({ credentials }: ProviderConnection): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${secretOf(credentials, 'apiKey') ?? ''}`,
})

export async function checkKey(api: ProviderApi, { path, headers, ...words }: KeyCheck): Promise<CheckResult> {
  const { status } = await api.ask(path, { method: 'GET', headers }, AbortSignal.timeout(CHECK_MS))
  const wrong = whatIsWrong(status, words)
  return wrong === undefined
    ? { ok: true, message: `${words.label} took the API key` }
    : { ok: false, message: `${words.label} ${wrong}` }
}

type Words = Pick<KeyCheck, 'whenRefused' | 'whenUnknown'>

function whatIsWrong(status: number, { whenRefused, whenUnknown }: Words): string | undefined {
  if (status < 300) return undefined
  if (status < 400) return `answered ${status}, a redirect, which is not followed`
  if (status === 401 || status === 403) return `refused the API key: ${whenRefused ?? 'check credentials.apiKey'}`
  if (status === 404) return `answered 404: ${whenUnknown ?? 'nothing was found at its address'}`
  if (status === 429) return 'takes no more requests for the moment: check again later'
  return status < 500 ? `answered ${status}` : `answered ${status}, trouble of its own: check again later`
}
