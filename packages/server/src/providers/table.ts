// Every provider that this service knows, by the name that connections use.
import { elevenLabs } from './elevenlabs/elevenlabs.js'
import { openaiCompatible } from './openai-compatible/openai-compatible.js'
import type { Provider } from './provider.js'
import { retell } from './retell/retell.js'
import { twilio } from './twilio/twilio.js'
import { vapi } from './vapi/vapi.js'

export const providers: Readonly<Record<string, Provider>> = {
  twilio,
  vapi,
  retell,
  elevenlabs: elevenLabs,
  openai_compatible: openaiCompatible,
}

/** A connection may name any system; only those of the table are checked and heard. */
export const providerNamed = (name: string): Provider | undefined =>
  Object.hasOwn(providers, name) ? providers[name] : undefined
