// The organization behind a key, and what the key can reach.
import type { Other } from '../records.js'
import { ask, type RequestOptions, type Send } from '../transport.js'

/** Settings of one side. */
export interface OrganizationSettings {
  strictReferences: boolean
  factAutoConfirmThreshold: number | null
  signalFireThreshold: number
  webhookWritesNeedAdmin: boolean
  timezone: string
  currency: string
  /** What whoever texts HELP is answered; null where the carrier does that. */
  smsHelpMessage: string | null
  /** The country whose national phone numbers are read; null: every number must be E.164. */
  defaultCountry: string | null
}

export interface Organization {
  id: string
  name: string
  environment: 'sandbox' | 'production' | Other
  apiEnabled: boolean
  settings: OrganizationSettings
}

export interface SchemaField {
  name: string
  type: string
  nullable: boolean
  readOnly: boolean
  required: boolean
  enum?: string[]
  references?: string
}

export interface SchemaEntity {
  slug: string
  label: string
  writable: boolean
  methods: string[]
  scalarFields: SchemaField[]
  searchFields: string[]
  filterFields: string[]
  /** What `sort` takes, also with `-` in front. */
  sortFields: string[]
  /** What `<field>From` and `<field>Before` are there for. */
  rangeFields: string[]
}

export interface Schema {
  organization: { id: string; name: string; environment: Organization['environment'] }
  key: { id: string; scope: 'READ' | 'WRITE' | 'ADMIN' | Other; environment: Organization['environment'] }
  apiVersion: string
  entities: SchemaEntity[]
  eventTypes: string[]
  canonicalKinds: { kind: string; enabled: boolean }[]
  limits: Record<string, number>
}

export const organization = (send: Send) => ({
  get: (options?: RequestOptions): Promise<Organization> => ask(send, { method: 'GET', path: '/organization', options }),
  /** The name is changed with a live key only. */
  update: (body: { name?: string; settings?: Partial<OrganizationSettings> }, options?: RequestOptions): Promise<Organization> =>
    ask(send, { method: 'PATCH', path: '/organization', body, options }),
})

export const schema = (send: Send, options?: RequestOptions): Promise<Schema> => ask(send, { method: 'GET', path: '/schema', options })

/** The OpenAPI 3.1 description of the service. */
export const openapi = (send: Send, options?: RequestOptions): Promise<Record<string, unknown>> => ask(send, { method: 'GET', path: '/openapi.json', options })
