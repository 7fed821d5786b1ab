// Twilio's REST API: sending an SMS, asking whether the credentials are good, and opening its recordings and media.
import type { CarrierAdapter, OutgoingText, SendResult } from '../../telephony/carrier.js'
import { Json } from '../payload.js'
import type { ApiAnswer, CheckResult, ProviderApi, ProviderConnection } from '../provider.js'
import { secretOf } from '../signatures.js'
import { wordsFor } from './error-codes.js'

type Connection = Pick<ProviderConnection, 'config' | 'credentials'>

const accountOf = ({ config }: Connection): string => String(config['accountSid'] ?? '')
const accountPath = (connection: Connection): string =>
  `/2010-04-01/Accounts/${encodeURIComponent(accountOf(connection))}`

/** An API key, where there is one, can be taken back without changing what requests to us are signed with. */
function authorization(connection: Connection): string {
  const { credentials } = connection
  const [keySid, keySecret] = [secretOf(credentials, 'apiKeySid'), secretOf(credentials, 'apiKeySecret')]
  const pair =
    keySid !== undefined && keySecret !== undefined
      ? `${keySid}:${keySecret}`
      : `${accountOf(connection)}:${secretOf(credentials, 'authToken') ?? ''}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

export const twilioCarrier = (api: ProviderApi): CarrierAdapter => ({
  open: (connection) => ({ send: (text, signal) => send(api, connection, text, signal) }),
})

/** Twilio sends once per request, not once per SMS: before it is asked again it is looked whether it has the SMS. */
async function send(
  api: ProviderApi,
  connection: ProviderConnection,
  text: OutgoingText,
  signal: AbortSignal,
): Promise<SendResult> {
  const known = text.attempt > 1 ? await findSent(api, connection, text, signal) : undefined
  if (known !== undefined) return { kind: 'accepted', providerMessageId: known }
  const body = new URLSearchParams({
    From: text.from,
    To: text.to,
    Body: text.body,
    StatusCallback: `${api.inboundUrl(connection.id, 'sms-status')}?sms=${text.idempotencyKey}`,
  }).toString()
  const headers = {
    authorization: authorization(connection),
    'content-type': 'application/x-www-form-urlencoded',
  }
  return judged(await api.ask(`${accountPath(connection)}/Messages.json`, { method: 'POST', headers, body }, signal))
}

function judged({ status, json }: ApiAnswer): SendResult {
  const answer = new Json(json)
  const code = answer.at('code').number
  const errorCode = code === undefined ? `http_${status}` : String(code)
  const errorMessage = (wordsFor(code?.toString(), answer.at('message').text) ?? `Twilio answered ${status}`).slice(
    0,
    255,
  )
  if (status < 300) {
    const sid = answer.at('sid').text
    return sid === undefined
      ? { kind: 'unavailable', errorMessage: 'Twilio did not say which message it made' }
      : { kind: 'accepted', providerMessageId: sid }
  }
  if (status === 429 || status >= 500) return { kind: 'unavailable', errorMessage }
  return { kind: 'refused', errorCode, errorMessage }
}

const LOOKED_THROUGH = 20

async function findSent(
  api: ProviderApi,
  connection: ProviderConnection,
  { from, to, body, queuedAt }: OutgoingText,
  signal: AbortSignal,
): Promise<string | undefined> {
  const query = new URLSearchParams({ From: from, To: to, PageSize: String(LOOKED_THROUGH) })
  const headers = { authorization: authorization(connection) }
  const path = `${accountPath(connection)}/Messages.json?${query}`
  const { status, json } = await api.ask(path, { method: 'GET', headers }, signal)
  if (status >= 300) return undefined
  // Twilio tells whole seconds.
  const isLater = (at: string | undefined) => at !== undefined && Date.parse(at) >= queuedAt.getTime() - 1_000
  const same = new Json(json)
    .at('messages')
    .items.find((one) => one.at('body').text === body && isLater(one.at('date_created').instant))
  return same?.at('sid').text
}

export async function checkAccount(connection: ProviderConnection, api: ProviderApi): Promise<CheckResult> {
  const headers = { authorization: authorization(connection) }
  const path = `${accountPath(connection)}.json`
  const { status, json } = await api.ask(path, { method: 'GET', headers }, AbortSignal.timeout(CHECK_MS))
  const state = new Json(json).at('status').text
  if (status === 401 || status === 403)
    return { ok: false, message: 'Twilio refused the credentials: check accountSid and authToken, or the API key' }
  if (status === 404) return { ok: false, message: 'Twilio knows no account with this accountSid' }
  if (status === 429) return { ok: false, message: 'Twilio takes no more requests for the moment: check again later' }
  if (status >= 300) return { ok: false, message: `Twilio answered ${status}: check again later` }
  if (state !== undefined && state !== 'active') return { ok: false, message: `The Twilio account is ${state}` }
  return { ok: true, message: 'Twilio took the credentials' }
}

const CHECK_MS = 10_000

/** Files of this account, at Twilio's own host and nowhere else. */
export function authorizeFile(
  address: URL,
  connection: ProviderConnection,
  { baseUrl }: Pick<ProviderApi, 'baseUrl'>,
): string | undefined {
  const isTwilio = address.protocol === 'https:' && address.hostname === new URL(baseUrl).hostname
  const isOurs = address.pathname.includes(`/Accounts/${accountOf(connection)}/`)
  return isTwilio && isOurs ? authorization(connection) : undefined
}
