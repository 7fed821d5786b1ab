import { describe, expect, test } from 'vitest'
import { valuesOf } from './found.js'

const emails = (said: string) => valuesOf('email', said)

describe('e-mail addresses', () => {
  test.each([
    ['It is maria@example.com.', 'maria@example.com'],
    ['Maria.Lopez+home@Example.co.uk, please', 'maria.lopez+home@example.co.uk'],
    ['maria at example dot com', 'maria@example.com'],
    ['j dot smith at example dot co dot uk', 'j.smith@example.co.uk'],
    ['My email is j underscore smith at my dash shop dot org', 'j_smith@my-shop.org'],
    ['m a r i a at example dot com', 'maria@example.com'],
    ['maria seventy seven at g mail dot com', 'maria77@gmail.com'],
    ['maria 77 at gmail.com', 'maria77@gmail.com'],
    ['it is maria at example.com', 'maria@example.com'],
    ['Send it to info at example dot com please', 'info@example.com'],
    ['maria @ example.com', 'maria@example.com'],
  ])('%s', (said, value) => expect(emails(said)).toEqual([value]))

  test.each([
    'Look at example dot com',
    'I am at work',
    'Meet me at 5. Come alone',
    'See us at www dot example dot com',
    'at noon',
    'We are at the mall. See you',
  ])('no address: %s', (said) => expect(emails(said)).toEqual([]))
})
