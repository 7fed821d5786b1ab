// The settings of one side of an organization, and what they are until someone changes them.
import { confidence, country, currency, described, flag, limits, line, nullable, object, text, withDefault } from '@parley/contract'

export interface TenantSettings {
  readonly strictReferences: boolean
  readonly factAutoConfirmThreshold: number | null
  readonly signalFireThreshold: number
  readonly webhookWritesNeedAdmin: boolean
  readonly timezone: string
  readonly currency: string
  /** What whoever texts HELP is answered; null where the carrier does that. */
  readonly smsHelpMessage: string | null
  /** The country whose national numbers are read; null where every number must be E.164. */
  readonly defaultCountry: string | null
}

export const settingFields = {
  strictReferences: flag(),
  factAutoConfirmThreshold: nullable(confidence()),
  signalFireThreshold: withDefault(confidence(), 0.8),
  webhookWritesNeedAdmin: flag(),
  timezone: withDefault(line(64), 'UTC'),
  currency: withDefault(currency(), 'USD'),
  smsHelpMessage: nullable(text(limits.smsLength)),
  defaultCountry: nullable(
    described(country(), 'ISO 3166-1 alpha-2 code of the country whose national phone numbers are read; null: every number must be E.164'),
  ),
}

export const settingsSchema = object(settingFields)

export const defaultSettings: TenantSettings = {
  strictReferences: false,
  factAutoConfirmThreshold: null,
  signalFireThreshold: 0.8,
  webhookWritesNeedAdmin: false,
  timezone: 'UTC',
  currency: 'USD',
  smsHelpMessage: null,
  defaultCountry: null,
}
