// The plain entities of the address book: parties, customers, companies, locations and contact methods, with the little they add.
import { anyGiven, companies, contactMethods, customers, locations, parties, people } from '@parley/contract'
import type { Endpoint, Input } from '../http/endpoint.js'
import { type Country, isWithheld, patterns, toAddress, toPhone } from '../http/telephone.js'
import { toEmail } from '../http/values.js'
import { badRequest } from '../store/api-error.js'
import { crud } from './crud.js'
import { shortened } from './record.js'

const notBlank = { type: 'string', pattern: '\\S' }
const notEmpty = { type: 'string', minLength: 1 }

export const partyEndpoints: Endpoint[] = crud(parties, {
  documented: (kind) => (kind === 'whole' ? anyGiven({ displayName: notBlank, firstName: notBlank, lastName: notBlank, orgName: notBlank }) : {}),
  complete(_input, party) {
    const names = [party.firstName, party.lastName].filter(Boolean).join(' ').trim()
    const displayName = party.displayName ?? (party.orgName?.trim() || names)
    if (!displayName) throw badRequest('displayName', 'is required unless firstName, lastName or orgName is given', 'required')
    return { ...party, displayName: shortened(displayName) }
  },
})

export const customerEndpoints: Endpoint[] = crud(customers, {
  async complete(input, customer) {
    return { ...customer, displayName: customer.displayName ?? (await nameFrom(input, customer.primaryPersonId, customer.primaryCompanyId)) }
  },
})

async function nameFrom({ read }: Pick<Input, 'read'>, personId: string | null, companyId: string | null): Promise<string> {
  const person = personId ? await read.get(people, personId) : undefined
  if (person) return person.displayName
  const company = companyId ? await read.get(companies, companyId) : undefined
  return company?.name ?? 'Unnamed customer'
}

export const companyEndpoints: Endpoint[] = crud(companies)

export const locationEndpoints: Endpoint[] = crud(locations, {
  documented: (kind) => (kind === 'whole' ? anyGiven({ formattedAddress: notEmpty, addressLine1: notEmpty, geo: { type: 'object' } }) : {}),
  complete(_input, location) {
    if (!location.formattedAddress && !location.addressLine1 && !location.geo) {
      throw badRequest('formattedAddress', 'or addressLine1 or geo is required', 'required')
    }
    return location
  },
})

/** What the value of each channel looks like, without a country. */
const channelValues = [
  { properties: { channel: { enum: ['email', 'web', 'other'] } } },
  { properties: { channel: { enum: ['phone', 'whatsapp'] }, value: { pattern: patterns.phone.taken } } },
  { properties: { channel: { const: 'sms' }, value: { pattern: patterns.callerId.taken } } },
]

export const contactMethodEndpoints: Endpoint[] = crud(contactMethods, {
  documented: (kind) => (kind === 'whole' ? { anyOf: channelValues } : {}),
  complete({ caller }, method, before) {
    // What was read in one country stays what it is when the setting changes.
    const isSame = before?.channel === method.channel && before.value === method.value
    const normalizedValue = isSame ? before.normalizedValue : normalized(method.channel, method.value, caller.settings.defaultCountry)
    return { ...method, normalizedValue }
  },
})

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
    ? 'must be a phone number in E.164 for this channel, for example +15550100200; set settings.defaultCountry of the organization to write national numbers'
    : `must be a phone number of ${country} or in E.164 for this channel, for example +15550100200`
