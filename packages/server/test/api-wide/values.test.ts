// The values of the wire, line by line of ruling 1.1: what goes in, what comes out, what is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/every-endpoint.js'
import { jsonOf, rawRequest } from '../support/raw-http.js'
import { type Service, startService } from '../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const make = (slug: string, body: unknown) => service.api.post(`/${slug}`, body)

describe('ids', () => {
  test('are UUIDv7 in lower case, and createdAt is the time in them', async () => {
    const { body } = await make('tasks', { title: 'x' })
    expect(body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Date(body.createdAt).getTime()).toBe(Number.parseInt(body.id.replaceAll('-', '').slice(0, 12), 16))
    expect(body.updatedAt).toBe(body.createdAt)
  })

  test('are found in upper case too', async () => {
    const { body, text } = await make('tasks', { title: 'x' })
    expect((await service.api.get(`/tasks/${body.id.toUpperCase()}`)).text).toBe(text)
  })

  test.each([
    ['of version 4', 'F47AC10B-58CC-4372-A567-0E02B2C3D479'],
    ['of version 1', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
    ['nil', '00000000-0000-0000-0000-000000000000'],
    ['max', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ])('%s are accepted in a body and kept in lower case', async (_, personId) => {
    expect((await make('tasks', { title: 'x', personId })).body.personId).toBe(personId.toLowerCase())
    expect((await service.api.get(`/tasks?personId=${personId}`)).body.data).toHaveLength(1)
  })

  test.each([
    '',
    'x',
    '{6ba7b810-9dad-11d1-80b4-00c04fd430c8}',
    '6ba7b8109dad11d180b400c04fd430c8',
    'urn:uuid:6ba7b810-9dad-11d1-80b4-00c04fd430c8',
  ])('of another form, such as "%s", are 400 in a body and in a query', async (personId) => {
    const inBody = await make('tasks', { title: 'x', personId })
    expectRefusal(inBody, 400, 'bad_request')
    expect(inBody.body.error.details).toEqual([{ path: 'personId', message: 'must be a UUID', code: 'format' }])
    expectRefusal(await service.api.get(`/tasks?personId=${encodeURIComponent(personId)}`), 400, 'bad_request')
  })
})

describe('instants', () => {
  test.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31t09:30:00z', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00+05:30', '2026-01-31T04:00:00.000Z'],
    ['2026-01-31T09:30:00-00:00', '2026-01-31T09:30:00.000Z'],
    ['2026-01-31T09:30:00.123456789-08:00', '2026-01-31T17:30:00.123Z'],
    ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['0000-12-31T23:30:00-01:00', '0001-01-01T00:30:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('%s is kept as %s, and filters find it', async (sent, kept) => {
    expect((await make('tasks', { title: 'x', dueAt: sent })).body.dueAt).toBe(kept)
    expect((await service.api.get(`/tasks?createdSince=${encodeURIComponent(sent)}&limit=1`)).status).toBe(200)
  })

  test.each([
    '2026-01-31',
    '2026-01-31T09:30:00',
    '2026-01-31T09:30Z',
    '2026-01-31 09:30:00Z',
    '2026-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T09:30:60Z',
    '2026-01-31T09:30:00+24:00',
    '10000-01-01T00:00:00Z',
    '+002026-01-31T09:30:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '1767225600',
    '',
    'yesterday',
  ])('"%s" is 400 in a body and in a query', async (dueAt) => {
    expectRefusal(await make('tasks', { title: 'x', dueAt }), 400, 'bad_request')
    expectRefusal(await service.api.get(`/tasks?createdSince=${encodeURIComponent(dueAt)}`), 400, 'bad_request')
  })

  test('an unescaped plus of an offset in a query is understood', async () => {
    expect((await service.api.get('/tasks?createdSince=2026-01-31T09:30:00+05:30')).status).toBe(200)
  })
})

describe('phone numbers', () => {
  test.each([
    ['+1 (555) 010-0200', '+15550100200'],
    ['+1.555.010.0200', '+15550100200'],
    [' +15550100200 ', '+15550100200'],
    ['+12', '+12'],
    ['+123456789012345', '+123456789012345'],
  ])('%s is kept as %s', async (sent, kept) => {
    expect((await make('companies', { name: 'x', primaryPhone: sent })).body.primaryPhone).toBe(kept)
  })

  test.each([
    '5550100200',
    '+0555',
    '+1',
    '+1234567890123456',
    '+1555x',
    '0049 30 1',
    '',
    'tel:+15550100200',
    '+１５５５',
    '++15550100200',
  ])('"%s" is 400', async (primaryPhone) => {
    const answer = await make('companies', { name: 'x', primaryPhone })
    expectRefusal(answer, 400, 'bad_request')
    expect(answer.body.error.details[0].path).toBe('primaryPhone')
  })

  test('the unescaped plus of a query is read as one', async () => {
    const { body } = await make('people', { displayName: 'Plus', primaryPhone: '+15550188000' })
    for (const query of ['+15550188000', '%2B15550188000', ' 15550188000', '+1 555 0188000']) {
      expect(
        (await service.api.get(`/people?primaryPhone=${query}`)).body.data.map(({ id }: { id: string }) => id),
      ).toEqual([body.id])
    }
  })
})

test('e-mail addresses are trimmed and lower-cased on save and on match', async () => {
  const { body } = await make('people', { displayName: 'Mail', primaryEmail: "  Ann.O'Hara+x@Example.COM " })
  expect(body.primaryEmail).toBe("ann.o'hara+x@example.com")
  const found = await service.api.get(`/people?primaryEmail=${encodeURIComponent("ANN.O'HARA+X@example.com ")}`)
  expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([body.id])
  for (const primaryEmail of ['ann', 'ann@', '@example.com', 'a b@example.com', 'ann@example', '']) {
    expectRefusal(await make('people', { displayName: 'Mail', primaryEmail }), 400, 'bad_request')
  }
})

test('money is a whole number of minor units and an ISO 4217 code, the side’s own by default', async () => {
  const { body } = await make('money-records', { recordType: 'refund', amountCents: -1250 })
  expect(body).toMatchObject({ amountCents: -1250, currency: 'USD' })
  expect((await make('money-records', { recordType: 'fee', amountCents: 1, currency: 'EUR' })).body.currency).toBe(
    'EUR',
  )
  for (const wrong of [
    { amountCents: 12.5 },
    { amountCents: '12' },
    { amountCents: 1, currency: 'eur' },
    { amountCents: 1, currency: 'EURO' },
  ]) {
    expectRefusal(await make('money-records', { recordType: 'fee', ...wrong }), 400, 'bad_request')
  }
})

describe('numbers', () => {
  test.each([
    '1e400',
    '-1e400',
    '9007199254740992',
    '-9007199254740992',
    '9007199254740993.0',
    '1e16',
    '0.9007199254740993e16',
  ])('%s is 400, in free-form objects too', async (written) => {
    for (const body of [
      `{"recordType":"fee","amountCents":${written}}`,
      `{"recordType":"fee","amountCents":1,"customFields":{"deep":[{"er":${written}}]}}`,
      `{"recordType":"fee","amountCents":1,"customFields":{"a":1},"version":${written}}`,
    ]) {
      expectRefusal(await make('money-records', body), 400, 'bad_request')
    }
  })

  test.each([
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['-9007199254740991', Number.MIN_SAFE_INTEGER],
    ['1.0e3', 1_000],
    ['-0.0', 0],
  ])('%s is kept', async (written, kept) => {
    const { body } = await make(
      'money-records',
      `{"recordType":"fee","amountCents":${written},"customFields":{"n":${written}}}`,
    )
    expect(body.amountCents + 0).toBe(kept)
    expect(body.customFields.n + 0).toBe(kept)
  })
})

describe('text', () => {
  test.each(['', ' ', '\t\r\n', '\u00a0\u2003\ufeff'])('required text must say something: %j is 400', async (title) => {
    const answer = await make('tasks', { title })
    expectRefusal(answer, 400, 'bad_request')
    expect(answer.body.error.details[0].path).toBe('title')
  })

  test('NUL bytes and lone surrogates are 400 wherever they stand', async () => {
    for (const bad of ['\\u0000', '\\ud800', '\\udc00', 'a\\ud83dz']) {
      for (const body of [
        `{"title":"a${bad}b"}`,
        `{"title":"x","description":"${bad}"}`,
        `{"title":"x","externalRefs":[{"system":"s","externalId":"${bad}"}]}`,
        `{"title":"x","${bad}":1}`,
      ]) {
        expectRefusal(await make('tasks', body), 400, 'bad_request')
      }
      expectRefusal(await make('companies', `{"name":"x","customFields":{"a":{"${bad}":1}}}`), 400, 'bad_request')
      expectRefusal(await make('companies', `{"name":"x","customFields":{"a":["${bad}"]}}`), 400, 'bad_request')
    }
    expectRefusal(await service.api.get('/tasks?q=%00'), 400, 'bad_request')
  })

  test('bytes that are no UTF-8 are 400', async () => {
    const body = Buffer.concat([Buffer.from('{"title":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')])
    const headers = { authorization: `Bearer ${service.api.key}`, 'content-type': 'application/json' }
    const answer = await rawRequest(`${service.url}/api/v1/tasks`, { method: 'POST', headers, body })
    expect(answer.status).toBe(400)
    expect(jsonOf(answer).error.details[0].code).toBe('json')
  })

  test('everything else comes back as it went in, byte for byte', async () => {
    const title = 'Ünïcødé 😀 \u2028\u2029 "quoted" \\ back/slash \u007f ﷽ עברית'
    const { body } = await make('tasks', { title, description: '\u0001\u001f\n\t ' })
    expect(body).toMatchObject({ title, description: '\u0001\u001f\n\t ' })
    expect((await service.api.get(`/tasks/${body.id}`)).body).toEqual(body)
  })
})

describe('free-form objects', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })

  test('are at most ten levels deep', async () => {
    expect((await make('companies', { name: 'x', customFields: nested(10) })).status).toBe(201)
    const answer = await make('companies', { name: 'x', customFields: nested(11) })
    expectRefusal(answer, 400, 'bad_request')
    expect(answer.body.error.details).toEqual([
      { path: 'customFields', message: 'must be nested at most 10 levels deep', code: 'depth' },
    ])
    expectRefusal(
      await make('companies', `{"name":"x","customFields":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`),
      400,
      'bad_request',
    )
    expectRefusal(
      await make(
        'field-values',
        `{"entityType":"task","entityId":"${'0'.repeat(8)}-0000-0000-0000-000000000000","key":"k","value":${'['.repeat(11)}${']'.repeat(11)}}`,
      ),
      400,
      'bad_request',
    )
  })

  test('are at most 64 KiB of JSON', async () => {
    const fits = { text: 'a'.repeat(64 * 1_024 - '{"text":""}'.length) }
    expect((await make('companies', { name: 'x', customFields: fits })).status).toBe(201)
    expectRefusal(await make('companies', { name: 'x', customFields: { text: `${fits.text}a` } }), 400, 'bad_request')
  })

  test('keep the names that objects have by themselves', async () => {
    const customFields = {
      constructor: 'a',
      toString: null,
      hasOwnProperty: [1],
      '': 'empty',
      prototype: { valueOf: 1 },
    }
    const { body } = await make('companies', { name: 'x', customFields })
    expect(body.customFields).toEqual(customFields)
  })
})

test('URLs are absolute and at most 2,048 characters', async () => {
  const website = `https://example.com/${'a'.repeat(2_048 - 'https://example.com/'.length)}`
  expect((await make('companies', { name: 'x', website })).body.website).toBe(website)
  for (const wrong of [
    `${website}a`,
    '/path',
    'example.com',
    'javascript:alert(1)',
    'mailto:a@b.c',
    'http://',
    'https://a b',
    'https://exa\tmple.com',
  ]) {
    expectRefusal(await make('companies', { name: 'x', website: wrong }), 400, 'bad_request')
  }
})

test('at most 20 external references are taken in a write', async () => {
  const refs = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ system: 'many', externalId: `${count}-${index}` }))
  expect((await make('tasks', { title: 'x', externalRefs: refs(20) })).body.externalRefs).toHaveLength(20)
  expectRefusal(await make('tasks', { title: 'x', externalRefs: refs(21) }), 400, 'bad_request')
})
