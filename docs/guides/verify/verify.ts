// Verifies a webhook of Parley with nothing but Node.js.
import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 300

/** `body` must be the bytes as they came: parse the JSON afterwards. */
export function isGenuine(
  secret: string,
  signatureHeader: string,
  body: Buffer,
  nowSeconds = Date.now() / 1000,
): boolean {
  const parts = signatureHeader.split(',').map((part) => part.trim())
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
  const [time = ''] = valuesOf('t')
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowSeconds - Number(time)) > toleranceSeconds) return false
  const expected = Buffer.from(createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'))
  // The text is compared, because decoding hexadecimal forgives what stands behind it. While a secret is rotated there
  // are two signatures; one that fits is enough.
  return valuesOf('v1').some((hex) => {
    const given = Buffer.from(hex)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
