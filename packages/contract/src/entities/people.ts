// Who the organization talks to and works for: people, parties, customers, companies, locations and their contact
// methods.
import { entity } from '../entity.js'
import {
  country,
  described,
  email,
  flag,
  line,
  longText,
  mergedForm,
  nullable,
  number,
  object,
  oneOf,
  phone,
  readOnly,
  required,
  tags,
  text,
  uri,
  uuid,
} from '../field.js'
import { limits } from '../limits.js'

export const origins = ['call', 'sms', 'voicemail', 'manual', 'api', 'import'] as const

const displayNameDerived = () =>
  readOnly(
    described(
      nullable(flag()),
      'Nobody set `displayName`: it follows the other names, as after null. Sending the stored name ' +
        'back sets nothing. Null in an older record until the upgrade has come to it.',
    ),
  )

export const people = entity({
  slug: 'people',
  name: 'person',
  label: 'People',
  description: 'Someone the organization talks to.',
  verbs: 'LGCPUD',
  tracked: true,
  fields: {
    displayName: text(),
    displayNameDerived: displayNameDerived(),
    legalName: nullable(line()),
    firstName: nullable(line()),
    lastName: nullable(line()),
    primaryEmail: nullable(email()),
    primaryPhone: nullable(phone()),
    customerId: nullable(uuid('customer')),
    customFields: mergedForm(),
    createdVia: readOnly(oneOf(origins)),
  },
  derived: ['displayName'],
  search: ['displayName', 'firstName', 'lastName', 'legalName', 'primaryEmail', 'primaryPhone'],
  filters: ['customerId', 'primaryPhone', 'primaryEmail'],
})

export const parties = entity({
  slug: 'parties',
  name: 'party',
  label: 'Parties',
  description: 'A person or organization in some relation to the business: lead, customer, vendor, partner.',
  verbs: 'LGCPUD',
  fields: {
    partyType: required(oneOf(['person', 'organization'])),
    displayName: text(),
    displayNameDerived: displayNameDerived(),
    firstName: nullable(line()),
    lastName: nullable(line()),
    orgName: nullable(line()),
    lifecycleStage: oneOf(
      ['lead', 'prospect', 'customer', 'former_customer', 'vendor', 'partner', 'employee', 'other'],
      'lead',
    ),
    personId: nullable(uuid('person')),
    companyId: nullable(uuid('company')),
    primaryEmail: nullable(email()),
    primaryPhone: nullable(phone()),
    tags: tags(),
    customFields: mergedForm(),
  },
  derived: ['displayName'],
  search: ['displayName', 'firstName', 'lastName', 'orgName', 'primaryEmail', 'primaryPhone'],
  filters: ['partyType', 'lifecycleStage', 'personId', 'companyId'],
})

export const customers = entity({
  slug: 'customers',
  name: 'customer',
  label: 'Customers',
  description: 'An account that work is done for.',
  verbs: 'LGCPUD',
  tracked: true,
  fields: {
    displayName: text(),
    displayNameDerived: displayNameDerived(),
    customerType: oneOf(['individual', 'business'], 'individual'),
    status: oneOf(['active', 'inactive', 'prospect', 'blocked'], 'active'),
    customerNumber: nullable(text()),
    partyId: nullable(uuid('party')),
    primaryPersonId: nullable(uuid('person')),
    primaryCompanyId: nullable(uuid('company')),
    primaryLocationId: nullable(uuid('location')),
    primaryEmail: nullable(email()),
    primaryPhone: nullable(phone()),
    tags: tags(),
    customFields: mergedForm(),
  },
  derived: ['displayName'],
  search: ['displayName', 'customerNumber', 'primaryEmail', 'primaryPhone'],
  filters: ['status', 'customerType', 'customerNumber', 'primaryPersonId', 'primaryCompanyId'],
  unique: [['customerNumber']],
  aliases: { name: { field: 'displayName' } },
})

export const companies = entity({
  slug: 'companies',
  name: 'company',
  label: 'Companies',
  description: 'A business the organization deals with.',
  verbs: 'LGCPUD',
  tracked: true,
  fields: {
    name: required(text()),
    legalName: nullable(line()),
    domain: nullable(line()),
    industry: nullable(line()),
    primaryEmail: nullable(email()),
    primaryPhone: nullable(phone()),
    website: nullable(uri()),
    customerId: nullable(uuid('customer')),
    primaryLocationId: nullable(uuid('location')),
    customFields: mergedForm(),
  },
  search: ['name', 'legalName', 'domain', 'primaryPhone'],
  filters: ['domain', 'customerId'],
  aliases: { displayName: { field: 'name' } },
})

export const locations = entity({
  slug: 'locations',
  name: 'location',
  label: 'Locations',
  description: 'A place where work is done or mail goes.',
  verbs: 'LGCPUD',
  fields: {
    label: nullable(line()),
    formattedAddress: nullable(line(limits.textLength)),
    addressLine1: nullable(line()),
    addressLine2: nullable(line()),
    city: nullable(line()),
    region: nullable(line()),
    postalCode: nullable(line(limits.wordLength)),
    country: nullable(country()),
    geo: nullable(object({ lat: number({ minimum: -90, maximum: 90 }), lng: number({ minimum: -180, maximum: 180 }) })),
    timezone: nullable(line(limits.wordLength)),
    locationType: oneOf(['service', 'billing', 'job_site', 'branch', 'mailing', 'other'], 'service'),
    accessNotes: nullable(longText()),
    customerId: nullable(uuid('customer')),
    companyId: nullable(uuid('company')),
    isPrimary: flag(),
  },
  search: ['label', 'formattedAddress', 'addressLine1', 'addressLine2', 'city', 'postalCode'],
  filters: ['customerId', 'companyId', 'locationType'],
})

export const contactMethods = entity({
  slug: 'contact-methods',
  name: 'contact_method',
  label: 'Contact methods',
  description: 'One way to reach someone, with what they have agreed to.',
  verbs: 'LGCPUD',
  fields: {
    channel: required(oneOf(['phone', 'email', 'sms', 'whatsapp', 'web', 'other'])),
    value: required(text()),
    normalizedValue: readOnly(text()),
    label: nullable(line()),
    isPrimary: flag(),
    isVerified: flag(),
    ownerType: nullable(oneOf(['party', 'person', 'company', 'customer'])),
    ownerId: nullable(uuid('@ownerType')),
    optInStatus: oneOf(['unknown', 'opted_in', 'opted_out'], 'unknown'),
    doNotCall: flag(),
  },
  search: ['value', 'label'],
  filters: ['channel', 'normalizedValue', 'ownerType', 'ownerId', 'optInStatus'],
})
