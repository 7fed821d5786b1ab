// The facts that are found without a definition, because nearly every business wants them. An organization's own
// definition of the same key, or of another field that the same words fill, goes first. docs/guides/extraction.md lists
// them.
import type { WantedFact } from './understanding.js'

type BuiltIn = WantedFact & { readonly subject: 'person' | 'any' }

const builtIn = (
  key: string,
  label: string,
  subject: BuiltIn['subject'],
  hints: readonly string[],
  valueType: WantedFact['valueType'] = 'string',
): BuiltIn => ({ key, label, subject, valueType, enumValues: [], hints, isMany: false })

export const builtInFacts: readonly BuiltIn[] = [
  builtIn('display_name', 'Name', 'person', ['your name', 'full name', 'speaking with', 'who am I talking to']),
  builtIn('primary_email', 'Email', 'person', ['email', 'email address']),
  builtIn('primary_phone', 'Phone', 'person', [
    'phone number',
    'callback number',
    'number to reach you',
    'contact number',
  ]),
  builtIn('service_address', 'Address', 'any', ['address', 'where do you live', 'location']),
  builtIn('preferred_date', 'Preferred date', 'any', ['what date', 'which day', 'what day', 'when'], 'date'),
  builtIn('preferred_time', 'Preferred time', 'any', ['what time', 'which time', 'time of day']),
]

export const isBuiltIn = (key: string): boolean => builtInFacts.some((fact) => fact.key === key)
