// What every TypeScript story does besides its requests: it waits for the webhook and verifies it, as the guide shows.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

export const told = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

export const baseUrl = `${told('PARLEY_BASE_URL')}/api/v1`
export const headers = { authorization: `Bearer ${told('PARLEY_API_KEY')}` }

export function expect(isTrue: boolean, what: string): asserts isTrue {
  if (!isTrue) throw new Error(`Not so: ${what}`)
}

/** A second of silence, as a WAV file. */
export function silence(): Blob {
  const bytes = Buffer.alloc(44 + 8_000)
  bytes.write('RIFF')
  bytes.writeUInt32LE(36 + 8_000, 4)
  bytes.write('WAVEfmt ', 8)
  bytes.writeUInt32LE(16, 16)
  bytes.write('data', 36)
  return new Blob([bytes])
}

/** Waits for what was posted there, and answers whether the secret signed it. */
export async function isSigned(url: string, secret: string): Promise<boolean> {
  for (let tries = 0; tries < 3_000; tries++) {
    const answer = await fetch(url)
    if (answer.ok) {
      const { signature, body } = (await answer.json()) as { signature: string; body: string }
      return fits(secret, signature, body)
    }
    await sleep(100)
  }
  throw new Error('No webhook came within five minutes')
}

function fits(secret: string, header: string, body: string): boolean {
  const parts = Object.fromEntries(header.split(',').map((part) => part.split('=') as [string, string]))
  const expected = createHmac('sha256', secret).update(`${parts['t']}.${body}`).digest('hex')
  const given = parts['v1'] ?? ''
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}
