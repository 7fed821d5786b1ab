// The plain entities of the address book: parties, customers, companies, locations and contact methods, with the little they add.
import { companies, contactMethods, customers, locations, parties, people } from '@parley/contract'
import type { Endpoint, Input } from '../http/endpoint.js'
import { toEmail, toPhone } from '../http/values.js'
import { badRequest } from '../store/api-error.js'
import { crud, type Rules } from './crud.js'
import { isNameSet, renameCustomers, withName } from './display-names.js'
import { shortened } from './record.js'

export const partyEndpoints: Endpoint[] = crud(parties, {
  complete(_input, party, before) {
    const names = [party.firstName, party.lastName].filter(Boolean).join(' ').trim()
    const named = withName(party, before, () => shortened(party.orgName?.trim() || names))
    if (!named.displayName) throw badRequest('displayName', 'is required unless firstName, lastName or orgName is given', 'required')
    return named
  },
})

export const customerRules: Rules<typeof customers> = {
  async complete(input, customer, before) {
    if (isNameSet(customer, before)) return withName(customer, before, () => customer.displayName)
    const source = await nameFrom(input, customer.primaryPersonId, customer.primaryCompanyId)
    // Whom it was called after may be gone; the name stays until a null asks for another.
    return withName(customer, before, () => source ?? customer.displayName ?? 'Unnamed customer')
  },
}

export const customerEndpoints: Endpoint[] = crud(customers, customerRules)

async function nameFrom({ read }: Pick<Input, 'read'>, personId: string | null, companyId: string | null): Promise<string | undefined> {
  const person = personId ? await read.get(people, personId) : undefined
  if (person) return person.displayName
  const company = companyId ? await read.get(companies, companyId) : undefined
  return company?.name
}

export const companyRules: Rules<typeof companies> = {
  async after({ change, input, record, before }) {
    if (record && before && record.name !== before.name) await renameCustomers(change, input, { primaryCompanyId: record.id }, record.name)
  },
}

export const companyEndpoints: Endpoint[] = crud(companies, companyRules)

export const locationEndpoints: Endpoint[] = crud(locations, {
  complete(_input, location) {
    if (!location.formattedAddress && !location.addressLine1 && !location.geo) {
      throw badRequest('formattedAddress', 'or addressLine1 or geo is required', 'required')
    }
    return location
  },
})

export const contactMethodEndpoints: Endpoint[] = crud(contactMethods, {
  complete(_input, method) {
    return { ...method, normalizedValue: normalized(method.channel, method.value) }
  },
})

function normalized(channel: string, value: string): string {
  if (channel === 'email') return toEmail(value)
  if (!['phone', 'sms', 'whatsapp'].includes(channel)) return value.trim()
  const phone = toPhone(value)
  if (phone === undefined) throw badRequest('value', 'must be a phone number in E.164 for this channel, for example +15550100200', 'phone')
  return phone
}
