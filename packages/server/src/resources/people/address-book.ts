// The plain entities of the address book: parties, customers, companies, locations and contact methods, with the little
// they add.
import { anyGiven, companies, contactMethods, customers, locations, parties, people, type Row } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { type Country, isWithheld, patterns, toAddress, toPhone } from '../../http/telephone.js'
import { toEmail } from '../../http/wire-formats.js'
import { badRequest } from '../../store/api-error.js'
import type { Work } from '../../store/work.js'
import { crud, endpointsOf, type Rules } from '../generic/crud.js'
import { shortened } from '../generic/record-values.js'
import { isNameSet, marked, renameCustomers, withName } from './display-names.js'

const notBlank = { type: 'string', pattern: '\\S' }
const notEmpty = { type: 'string', minLength: 1 }

export const partyEndpoints: Endpoint[] = endpointsOf(
  crud(parties, {
    documented: (kind) =>
      kind === 'whole'
        ? anyGiven({ displayName: notBlank, firstName: notBlank, lastName: notBlank, orgName: notBlank })
        : {},
    async complete(_input, party, before) {
      const named = withName(party, before && (await marked(before, partyName)), () => partyName(party))
      if (!named.displayName)
        throw badRequest('displayName', 'is required unless firstName, lastName or orgName is given', 'required')
      return named
    },
  }),
)

function partyName({ firstName, lastName, orgName }: Row<typeof parties>): string {
  return shortened(orgName?.trim() || [firstName, lastName].filter(Boolean).join(' ').trim())
}

export const customerRules: Rules<typeof customers> = {
  async complete(input, customer, stored) {
    const before = stored && (await marked(stored, async (one) => (await nameFrom(input.work, one)) ?? unnamed))
    if (isNameSet(customer, before)) return withName(customer, before, () => customer.displayName)
    const source = await nameFrom(input.work, customer)
    // Whom it was called after may be gone; the name stays until a null asks for another.
    return withName(customer, before, () => source ?? customer.displayName ?? unnamed)
  },
}

export const customerEndpoints: Endpoint[] = endpointsOf(crud(customers, customerRules))

const unnamed = 'Unnamed customer'

async function nameFrom(
  work: Work,
  { primaryPersonId, primaryCompanyId }: Row<typeof customers>,
): Promise<string | undefined> {
  const person = primaryPersonId ? await work.get(people, primaryPersonId) : undefined
  if (person) return person.displayName
  const company = primaryCompanyId ? await work.get(companies, primaryCompanyId) : undefined
  return company?.name
}

export const companyRules: Rules<typeof companies> = {
  async after({ work, record, before }) {
    if (record && before && record.name !== before.name)
      await renameCustomers(work, { primaryCompanyId: record.id }, { from: before.name, to: record.name })
  },
}

export const companyEndpoints: Endpoint[] = endpointsOf(crud(companies, companyRules))

export const locationEndpoints: Endpoint[] = endpointsOf(
  crud(locations, {
    documented: (kind) =>
      kind === 'whole' ? anyGiven({ formattedAddress: notEmpty, addressLine1: notEmpty, geo: { type: 'object' } }) : {},
    complete(_input, location) {
      if (!location.formattedAddress && !location.addressLine1 && !location.geo) {
        throw badRequest('formattedAddress', 'or addressLine1 or geo is required', 'required')
      }
      return location
    },
  }),
)

/** What the value of each channel looks like, without a country. */
const channelValues = [
  { properties: { channel: { enum: ['email', 'web', 'other'] } } },
  { properties: { channel: { enum: ['phone', 'whatsapp'] }, value: { pattern: patterns.phone.taken } } },
  { properties: { channel: { const: 'sms' }, value: { pattern: patterns.callerId.taken } } },
]

export const contactMethodEndpoints: Endpoint[] = endpointsOf(
  crud(contactMethods, {
    documented: (kind) => (kind === 'whole' ? { anyOf: channelValues } : {}),
    complete({ caller }, method, before) {
      // What was read in one country stays what it is when the setting changes.
      const isSame = before?.channel === method.channel && before.value === method.value
      const normalizedValue = isSame
        ? before.normalizedValue
        : normalized(method.channel, method.value, caller.settings.defaultCountry)
      return { ...method, normalizedValue }
    },
  }),
)

function normalized(channel: string, value: string, country: Country): string {
  if (channel === 'email') return toEmail(value)
  if (!['phone', 'sms', 'whatsapp'].includes(channel)) return value.trim()
  // Texts also come from short codes and from names; nobody is reached under the word for a caller who shows no number.
  const number = channel === 'sms' && !isWithheld(value) ? toAddress(value, country) : toPhone(value, country)
  if (number === undefined) throw badRequest('value', notANumber(country), 'phone')
  return number
}

const notANumber = (country: Country): string =>
  country === null
    ? 'must be a phone number in E.164 for this channel, for example +15550100200; ' +
      'set settings.defaultCountry of the organization to write national numbers'
    : `must be a phone number of ${country} or in E.164 for this channel, for example +15550100200`
