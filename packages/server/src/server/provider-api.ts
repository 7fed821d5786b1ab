// Asks providers over HTTP, under the addresses that the operator has set: within a time, no further than that address,
// and no more of an answer than anybody needs.
import type { Config } from '../config/config.js'
import { allowedModelUrl } from '../providers/openai-compatible/model-url.js'
import type { ApiAnswer, ProviderApi } from '../providers/provider.js'
import { providers } from '../providers/table.js'
import type { ProviderApis } from '../resources/integrations/connection-check.js'
import type { Carriers } from '../telephony/carrier.js'

const ANSWER_BYTES_MAX = 1024 * 1024

export interface ProviderApiParts {
  readonly config: Config
  readonly inboundUrl: ProviderApi['inboundUrl']
}

export function createProviderApis({ config, inboundUrl }: ProviderApiParts): ProviderApis {
  const baseUrls: Readonly<Record<string, string>> = {
    twilio: config.twilioUrl,
    vapi: config.vapiUrl,
    retell: config.retellUrl,
    elevenlabs: config.elevenLabsUrl,
  }
  return (provider, connection) => {
    const baseUrl = Object.hasOwn(baseUrls, provider)
      ? baseUrls[provider]
      : connection && allowedModelUrl(connection, config.modelUrls)
    if (baseUrl === undefined) return undefined
    return {
      baseUrl,
      inboundUrl,
      async ask(path, { method, headers, body }, signal) {
        const response = await fetch(baseUrl + path, {
          method,
          headers: { accept: 'application/json', ...headers },
          redirect: 'manual',
          signal: AbortSignal.any([signal, AbortSignal.timeout(config.providerTimeoutMs)]),
          ...(body !== undefined && { body }),
        })
        return { status: response.status, json: await jsonOf(response) }
      },
    }
  }
}

/** Those of the table that can carry SMS. */
export function providerCarriers(apis: ProviderApis): Carriers {
  const able = Object.entries(providers).flatMap(([name, { carrier }]) => {
    const api = apis(name)
    return carrier && api ? [[name, carrier(api)] as const] : []
  })
  return Object.fromEntries(able)
}

async function jsonOf(response: Response): Promise<ApiAnswer['json']> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) return null
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch {
    return null
  }
}
