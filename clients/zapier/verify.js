// Whether a webhook is Parley's: its signature over the text as it came, within five minutes of now.
const { createHmac, timingSafeEqual } = require('node:crypto')

const TOLERANCE_SECONDS = 300

exports.isGenuine = (secret, signature, body, nowSeconds = Date.now() / 1000) => {
  const parts = String(signature)
    .split(',')
    .map((part) => part.trim())
  const valuesOf = (name) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
  const [time = ''] = valuesOf('t')
  if (!/^\d{1,12}$/.test(time) || Math.abs(nowSeconds - Number(time)) > TOLERANCE_SECONDS) return false
  const expected = Buffer.from(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'))
  return valuesOf('v1').some((hex) => {
    const given = Buffer.from(hex)
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
