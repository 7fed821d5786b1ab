// The settings of one side of an organization, and what they are until someone changes them.
import { confidence, currency, flag, line, nullable, object, withDefault } from '@parley/contract'

export interface TenantSettings {
  readonly strictReferences: boolean
  readonly factAutoConfirmThreshold: number | null
  readonly signalFireThreshold: number
  readonly webhookWritesNeedAdmin: boolean
  readonly timezone: string
  readonly currency: string
}

export const settingFields = {
  strictReferences: flag(),
  factAutoConfirmThreshold: nullable(confidence()),
  signalFireThreshold: withDefault(confidence(), 0.8),
  webhookWritesNeedAdmin: flag(),
  timezone: withDefault(line(64), 'UTC'),
  currency: withDefault(currency(), 'USD'),
}

export const settingsSchema = object(settingFields)

export const defaultSettings: TenantSettings = {
  strictReferences: false,
  factAutoConfirmThreshold: null,
  signalFireThreshold: 0.8,
  webhookWritesNeedAdmin: false,
  timezone: 'UTC',
  currency: 'USD',
}
