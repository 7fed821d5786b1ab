// The shapes that are no entities: their types come out of their schemas, and their samples are valid.
import { Compile } from 'typebox/compile'
import { Format } from 'typebox/format'
import { expect, expectTypeOf, test } from 'vitest'
import * as contract from '../src/index.js'

Format.Set('phone', (value) => /^\+[1-9]\d{1,14}$/.test(value))
Format.Set('caller-id', () => true)
Format.Set('recipient', () => true)

const problems = (schema: object, value: unknown) =>
  [...Compile(schema as never).Errors(value)].map((error) => `${error.instancePath} ${error.message}`)

const {
  apiKey,
  mintedApiKey,
  organization,
  calendarFeed,
  madeCalendarFeed,
  deletedRecord,
  subscriptionWithSecret,
  delivery,
  replay,
} = contract
const { simulation, schemaDocument, anyEvent } = contract
const answers = {
  apiKey,
  mintedApiKey,
  organization,
  calendarFeed,
  madeCalendarFeed,
  deletedRecord,
  subscriptionWithSecret,
  delivery,
  replay,
  simulation,
  schemaDocument,
  anyEvent,
}

test.each(Object.entries(answers))('a sample of %s is valid', (_, schema) => {
  expect(problems(schema, contract.sampleOf(schema))).toEqual([])
})

const isBody = (value: unknown): value is contract.Body =>
  typeof value === 'object' && value !== null && 'ignored' in value
const bodies = Object.entries(contract).flatMap(([name, value]) => (isBody(value) ? [[name, value] as const] : []))

test.each(bodies)('a sample of %s is valid, and what it ignores is none of its fields', (_, { schema, ignored }) => {
  expect(problems(schema, contract.sampleBody(schema))).toEqual([])
  expect(Object.keys(contract.propertiesOf(schema) ?? {}).filter((name) => ignored.includes(name))).toEqual([])
})

test('there are bodies to look at', () => {
  expect(bodies.length).toBeGreaterThanOrEqual(20)
})

test('the settings that nobody has changed are the defaults of their fields', () => {
  const fields = Object.entries(contract.propertiesOf(contract.tenantSettings) ?? {})
  expect(contract.defaultSettings).toEqual(
    Object.fromEntries(fields.map(([name, schema]) => [name, contract.annotationsOf(schema).default])),
  )
})

test('types come out of the schemas', () => {
  expectTypeOf<contract.ApiKey['scope']>().toEqualTypeOf<contract.Scope>()
  expectTypeOf<contract.Delivery['status']>().toEqualTypeOf<contract.DeliveryStatus>()
  expectTypeOf<contract.SmsReceipt['errorCode']>().toEqualTypeOf<string | null | undefined>()
  expectTypeOf<contract.DraftApproval['acceptFactIds']>().toEqualTypeOf<string[] | undefined>()
  expectTypeOf<contract.TenantSettings['defaultCountry']>().toEqualTypeOf<string | null>()
})
