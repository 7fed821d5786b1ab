// What the service asks of others: webhooks, recordings, providers and models.
import { cidrs, duration, durations, httpUrls, type Setting } from './setting-kinds.js'

const minute = 60_000
const day = 24 * 60 * minute

export const outboundSettings = {
  webhookRetryDelaysMs: {
    name: 'PARLEY_WEBHOOK_RETRY_DELAYS',
    kind: durations(8, { min: 0, max: 30 * day }),
    default: '0s,1m,5m,15m,1h,6h,12h,24h',
    meaning: 'Waits before the eight attempts of a webhook delivery.',
  },
  webhookTimeoutMs: {
    name: 'PARLEY_WEBHOOK_TIMEOUT',
    kind: duration({ min: 1, max: 5 * minute }),
    default: '10s',
    meaning: 'Time that one attempt may take, from the name look-up to the response headers.',
  },
  webhookAllowNetworks: {
    name: 'PARLEY_WEBHOOK_ALLOW_NETWORKS',
    kind: cidrs,
    default: '',
    meaning: 'Addresses and CIDRs that webhooks may reach besides public addresses, separated by commas.',
  },
  recordingAllowNetworks: {
    name: 'PARLEY_RECORDING_ALLOW_NETWORKS',
    kind: cidrs,
    default: '',
    meaning: 'Addresses and CIDRs that recordings may be fetched from besides public addresses, separated by commas.',
  },
  modelUrls: {
    name: 'PARLEY_MODEL_URLS',
    kind: httpUrls,
    default: '',
    meaning:
      'Base addresses of OpenAI-compatible models that organizations may connect to, separated by ' +
      'commas, such as https://api.openai.com/v1.',
  },
  recordingTimeoutMs: {
    name: 'PARLEY_RECORDING_TIMEOUT',
    kind: duration({ min: 1, max: 30 * minute }),
    default: '2m',
    meaning: 'Time that one attempt to fetch a recording may take, to its last byte.',
  },
  recordingRetryDelaysMs: {
    name: 'PARLEY_RECORDING_RETRY_DELAYS',
    kind: durations(6, { min: 0, max: 30 * day }),
    default: '5s,30s,2m,10m,1h,6h',
    meaning: 'Waits before the six further attempts to fetch a recording.',
  },
} as const satisfies Record<string, Setting>
