// Whether a webhook is Parley's: its signature over the bytes as they came, within five minutes of now.
import { createHmac, timingSafeEqual } from 'node:crypto'

const TOLERANCE_SECONDS = 300

export function isGenuine(secret: string, signature: unknown, body: Buffer, nowSeconds = Date.now() / 1000): boolean {
  const parts = String(signature).split(',')
  const valuesOf = (name: string) =>
    parts
      .map((part) => part.trim())
      .filter((part) => part.startsWith(`${name}=`))
      .map((part) => part.slice(name.length + 1))
  const [time = ''] = valuesOf('t')
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowSeconds - Number(time)) > TOLERANCE_SECONDS) return false
  const expected = Buffer.from(createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'))
  // While a secret is rotated there are two signatures; one that fits is enough.
  return valuesOf('v1').some((hex) => {
    const given = Buffer.from(hex)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
