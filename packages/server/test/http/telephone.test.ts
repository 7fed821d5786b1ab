// Numbers, short codes and names as plain values: what the OpenAPI document says is taken is taken, and what is kept
// fits what it says comes back.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isTextable, toAddress, toPhone } from '../../src/http/telephone.js'
import { wireFormats } from '../../src/http/wire-formats.js'

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'+0123456789aZ .()-'), maxLength: 20 }),
  fc.stringMatching(/^\+[0-9]{0,17}$/),
  fc.stringMatching(/^[0-9A-Za-z]{0,13}$/),
)

test.each(['phone', 'caller-id', 'recipient'])(
  'what the pattern of %s allows is taken, and kept in the pattern of answers',
  (format) => {
    const wire = wireFormats[format]
    const [taken, given] = [new RegExp(wire?.patterns?.taken ?? ''), new RegExp(wire?.patterns?.given ?? '')]
    fc.assert(
      fc.property(texts, (text) => {
        if (!taken.test(text)) return
        expect(wire?.isValid(text)).toBe(true)
        const kept = wire?.keep(text) ?? null
        if (kept !== null) expect(kept).toMatch(given)
      }),
      { numRuns: 2_000 },
    )
  },
)

test.each(['phone', 'caller-id'])(
  'what is taken as %s is what the pattern allows, blanks around it aside',
  (format) => {
    const wire = wireFormats[format]
    const taken = new RegExp(wire?.patterns?.taken ?? '')
    fc.assert(
      fc.property(texts, (text) => wire?.isValid(text) !== true || taken.test(text.trim())),
      { numRuns: 2_000 },
    )
  },
)

test('reading is stable: what is kept is read as itself, in any country', () => {
  fc.assert(
    fc.property(texts, fc.constantFrom(null, 'US', 'GB', 'DE', 'NO'), (text, country) => {
      const [phone, address] = [toPhone(text, country), toAddress(text, country)]
      if (phone !== undefined) expect(toPhone(phone, country)).toBe(phone)
      if (address !== undefined) expect(toAddress(address, country)).toBe(address)
    }),
    { numRuns: 1_000 },
  )
})

test('a text can be sent to a number or a short code', () => {
  expect(['+15550100200', '72345', 'ACME', '12', null].map(isTextable)).toEqual([true, true, false, false, false])
})
