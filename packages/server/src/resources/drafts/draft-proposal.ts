// What a draft proposes, read as the fields of a work record: its kind, its title, and what is still missing. Its
// payload is free-form: what a work record has a field for goes there, and everything else is one of the organization's
// own fields.
import {
  acceptKind,
  type CanonicalKind,
  canonicalKinds,
  fieldsOf,
  isObject,
  workRecords,
  workTypeDefinitions,
  writableFields,
} from '@parley/contract'
import { finding, type Reader } from '../../store/reader.js'
import { shortened } from '../generic/record-values.js'
import { definitionOf, titleOf } from '../work/work-type-definitions.js'
import type { Draft } from './draft-decisions.js'

type Values = Record<string, unknown>
type Proposal = Pick<Draft, 'canonicalKind' | 'title' | 'summary' | 'payload' | 'customerId' | 'personId'>

const writable = new Set([...writableFields(workRecords), ...Object.keys(workRecords.aliases)])
/** What only the service says of a work record, or the approval does. */
const ignored = new Set([
  ...Object.keys(fieldsOf(workRecords)).filter((name) => !writable.has(name)),
  'source',
  'sourceCallSessionId',
])

/**
 * Splits a payload into what a work record has fields for and what goes to `structuredFieldsJson`. A null says nothing.
 */
export function workFieldsOf(payload: Values): Values {
  const said = Object.entries(payload).filter(([name, value]) => value !== null && !ignored.has(name))
  const fields = Object.fromEntries(said.filter(([name]) => writable.has(name)))
  const others = Object.fromEntries(said.filter(([name]) => !writable.has(name)))
  const { structuredFieldsJson = {} } = fields
  return isObject(structuredFieldsJson)
    ? { ...fields, structuredFieldsJson: { ...others, ...structuredFieldsJson } }
    : fields
}

/**
 * The kind that the payload or the draft says, else the only one that the organization does, else a service request.
 */
export async function kindOf(
  read: Reader,
  { payload, canonicalKind }: Pick<Proposal, 'payload' | 'canonicalKind'>,
): Promise<CanonicalKind> {
  const said = saidKind(payload) ?? canonicalKind
  if (said !== null) return said
  const [[only, another]] = await read.lookUp(onlyKindLookup)
  return only && another === undefined ? only.canonicalKind : 'service_request'
}

/** What `kindOf` looks up where nobody says the kind. */
export const onlyKindLookup = finding(workTypeDefinitions, { enabled: true }, 2)

/**
 * A word that is no kind says nothing yet: what a machine proposed is kept, and refused only when it is to become a
 * work record.
 */
const saidKind = (payload: Values): CanonicalKind | null => {
  const said = acceptKind(payload['canonicalKind'] ?? payload['kind'])
  return canonicalKinds.find((one) => one === said) ?? null
}

/** The title that the payload or the draft says, else the summary's first sentence, else the kind and who called. */
export function titleFor(
  { payload, title, summary }: Proposal,
  kind: CanonicalKind,
  caller: string | undefined,
): unknown {
  if (payload['title'] !== undefined && !isBlank(payload['title'])) return payload['title']
  const said = [title, firstSentence(summary ?? '')].find((one) => !isBlank(one))
  return shortened(said ?? (caller ? `${titleOf(kind)}: ${caller}` : titleOf(kind)))
}

/** Up to the first full stop that does not merely end a title or an initial. */
function firstSentence(text: string): string {
  const end = /(?<!\b(?:Mrs?|Ms|Dr|Prof|St|No|Inc|Ltd|[A-Z]))[.!?](?=\s|$)/.exec(text)
  return (end ? text.slice(0, end.index + 1) : text).trim()
}

/** The fields that work of this kind needs and the draft does not say. */
export async function missingFields(read: Reader, draft: Proposal): Promise<string[]> {
  const definition = await definitionOf(read, await kindOf(read, draft))
  const { title, customerId, personId, payload } = draft
  const { structuredFieldsJson, ...fields } = workFieldsOf(payload)
  const said: Values = {
    title,
    customerId,
    primaryPersonId: personId,
    personId,
    ...(isObject(structuredFieldsJson) && structuredFieldsJson),
    ...withoutBlanks(fields),
  }
  return (definition?.requiredFields ?? []).filter((name) => isBlank(said[name]))
}

const withoutBlanks = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => !isBlank(value)))
const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
