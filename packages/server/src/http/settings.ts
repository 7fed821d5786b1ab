// The settings of one side of an organization, and what they are until someone changes them.
import { confidence, currency, flag, limits, line, nullable, object, text, withDefault } from '@parley/contract'

export interface TenantSettings {
  readonly strictReferences: boolean
  readonly factAutoConfirmThreshold: number | null
  readonly signalFireThreshold: number
  readonly webhookWritesNeedAdmin: boolean
  readonly timezone: string
  readonly currency: string
  /** What whoever texts HELP is answered; null where the carrier does that. */
  readonly smsHelpMessage: string | null
}

export const settingFields = {
  strictReferences: flag(),
  factAutoConfirmThreshold: nullable(confidence()),
  signalFireThreshold: withDefault(confidence(), 0.8),
  webhookWritesNeedAdmin: flag(),
  timezone: withDefault(line(64), 'UTC'),
  currency: withDefault(currency(), 'USD'),
  smsHelpMessage: nullable(text(limits.smsLength)),
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
}
