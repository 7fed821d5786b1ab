// The settings of what reaches us from providers, and of how they are asked. A provider's address is the operator's to
// set, never a tenant's: what is sent there holds credentials.
import { duration, durations, httpUrl, rate } from './setting-kinds.js'

const day = 24 * 60 * 60_000

export const providerSettings = {
  twilioUrl: {
    name: 'PARLEY_TWILIO_URL',
    kind: httpUrl,
    default: 'https://api.twilio.com',
    meaning: "Address of Twilio's REST API.",
  },
  vapiUrl: {
    name: 'PARLEY_VAPI_URL',
    kind: httpUrl,
    default: 'https://api.vapi.ai',
    meaning: "Address of Vapi's API.",
  },
  retellUrl: {
    name: 'PARLEY_RETELL_URL',
    kind: httpUrl,
    default: 'https://api.retellai.com',
    meaning: "Address of Retell's API.",
  },
  elevenLabsUrl: {
    name: 'PARLEY_ELEVENLABS_URL',
    kind: httpUrl,
    default: 'https://api.elevenlabs.io',
    meaning: "Address of ElevenLabs' API.",
  },
  providerTimeoutMs: {
    name: 'PARLEY_PROVIDER_TIMEOUT',
    kind: duration({ min: 1, max: 60_000 }),
    default: '10s',
    meaning: 'Time that a provider may take to answer.',
  },
  rateLimitInbound: {
    name: 'PARLEY_RATE_LIMIT_INBOUND',
    kind: rate,
    default: '50:200',
    meaning: 'Signed requests of a connection: `sustained:burst`, sustained per second.',
  },
  inboundRetryDelaysMs: {
    name: 'PARLEY_INBOUND_RETRY_DELAYS',
    kind: durations(6, { min: 0, max: 30 * day }),
    default: '1s,2s,5s,15s,1m,5m',
    meaning: 'Waits before the six further tries of a request of a provider that could not be worked on.',
  },
} as const
