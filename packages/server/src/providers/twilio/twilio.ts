// Twilio: SMS and calls over the numbers of one account.
import { described, limits, matching, object, optional, text } from '@parley/contract'
import { formOf, Json, storable } from '../payload.js'
import { type InboundRequest, type Provider, type Told, UnreadableRequest } from '../provider.js'
import { secretOf } from '../signatures.js'
import { callStatus, dialAction, incomingCall } from './calls.js'
import { leftVoicemail, recordingStatus, transcriptionReport } from './recordings.js'
import { authorizeFile, checkAccount, twilioCarrier } from './rest.js'
import { isSignedByTwilio } from './signature.js'
import { type Form, inboundText, textStatus } from './sms.js'

const kinds: Readonly<Record<string, { description: string; read: (form: Form, query: URLSearchParams) => Told }>> = {
  sms: { description: 'A message comes in', read: inboundText },
  'sms-status': {
    description: 'Status callback of messages; set with each text that we send',
    read: (form, query) => textStatus(form, query.get('sms')),
  },
  voice: { description: 'A call comes in', read: incomingCall },
  'voice-status': { description: 'Call status changes', read: callStatus },
  'dial-action': { description: 'What came of forwarding a call; set in our TwiML', read: dialAction },
  voicemail: { description: 'A caller has left a message; set in our TwiML', read: leftVoicemail },
  recording: { description: 'Recording status callback; set in our TwiML', read: recordingStatus },
  transcription: { description: 'Transcription callbacks; set in our TwiML', read: transcriptionReport },
}

export const twilio: Provider = {
  label: 'Twilio',
  connectionKind: 'telephony',
  config: object({ accountSid: matching('^AC[0-9a-fA-F]{32}$', 'AC and 32 hexadecimal digits') }),
  credentials: object({
    authToken: described(text(), 'Signs what Twilio sends to us; the primary token of the account.'),
    secondaryAuthToken: optional(described(text(), 'The other token, while one takes the place of the other.')),
    apiKeySid: optional(
      matching(
        '^SK[0-9a-fA-F]{32}$',
        'SK and 32 hexadecimal digits',
        'Sends in place of the token, with apiKeySecret.',
      ),
    ),
    apiKeySecret: optional(text()),
  }),
  inbound: Object.fromEntries(
    Object.entries(kinds).map(([kind, { description }]) => [kind, { description, bytesMax: limits.inboundBytes }]),
  ),
  verify(request, { credentials }) {
    const tokens = [secretOf(credentials, 'authToken'), secretOf(credentials, 'secondaryAuthToken')]
    return isSignedByTwilio(
      request,
      tokens.filter((token) => token !== undefined),
    )
  },
  isForeign(request, { config }) {
    const { AccountSid: account } = fieldsOf(request)
    return account !== undefined && account !== config['accountSid']
  },
  read(request) {
    const kind = kinds[request.kind]
    if (kind === undefined) throw new UnreadableRequest(`Twilio has no ${request.kind}`)
    return kind.read(fieldsOf(request), new URL(request.url).searchParams)
  },
  check: checkAccount,
  authorize: authorizeFile,
  carrier: twilioCarrier,
}

/** The fields of a form, or of a JSON object that says the same. */
function fieldsOf({ headers, body }: Pick<InboundRequest, 'headers' | 'body'>): Form {
  if (!/json/i.test(headers['content-type'] ?? '')) return formOf(body)
  const entries = Json.parse(body).entries.map(([name, { value }]) => [storable(name), written(value)] as const)
  return Object.fromEntries(entries)
}

const written = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
