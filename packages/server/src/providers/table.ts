// Every provider that this service knows, by the name that connections use.
import { openaiCompatible } from './openai-compatible/openai-compatible.js'
import type { Provider } from './provider.js'
import { twilio } from './twilio/twilio.js'

export const providers: Readonly<Record<string, Provider>> = {
  twilio,
  openai_compatible: openaiCompatible,
}

/** A connection may name any system; only those of the table are checked and heard. */
export const providerNamed = (name: string): Provider | undefined =>
  Object.hasOwn(providers, name) ? providers[name] : undefined
