// The built-in extractor: rules over what was found in the words. It knows no organization but by the definitions it is
// given, costs nothing and says the same of the same words every time.
import { findMentions } from '../mentions/find-mentions.js'
import type { Conversation, FoundField, Understanding, Vocabulary, WorkType } from '../understanding.js'
import { chooseKind } from './choose-kind.js'
import { findFields } from './find-fields.js'
import { findSignals } from './find-signals.js'
import { linesOf } from './lines.js'
import { type SoughtField, soughtFacts, soughtWorkFields } from './sought-fields.js'
import { summaryOf, titleOf } from './summarize.js'

export const RULES = 'rules'

export function extractByRules(conversation: Conversation): Understanding {
  const { segments, context, vocabulary } = conversation
  const mentions = conversation.mentions ?? findMentions(segments, context)
  const lines = linesOf(segments, mentions)
  const canonicalKind = chooseKind(lines, vocabulary.workTypes)
  const type = workTypeOf(vocabulary, canonicalKind)
  const sought = soughtFacts(vocabulary.facts)
  const ofWork = soughtWorkFields(type, sought)
  const fields = findFields(lines, [...sought.filter(isOwn), ...ofWork, ...sought.filter(isBuiltIn)], dayOf(context))
  const isFact = new Set(sought.map(({ key }) => key))
  return {
    extractor: RULES,
    fallbackReason: null,
    mentions,
    facts: fields.filter(({ key }) => isFact.has(key)),
    signals: findSignals(lines, vocabulary.signals),
    canonicalKind,
    fields,
    missingFields: missingOf(type, fields),
    title: titleOf(lines),
    summary: summaryOf(lines, fields),
  }
}

const isBuiltIn = ({ origin }: SoughtField): boolean => origin === 'built-in'
const isOwn = (field: SoughtField): boolean => !isBuiltIn(field)

/** The kind that a draft without one would get. */
function workTypeOf({ workTypes }: Vocabulary, kind: string | null): WorkType | undefined {
  return workTypes.find(({ canonicalKind }) => canonicalKind === (kind ?? 'service_request'))
}

const missingOf = (type: WorkType | undefined, fields: readonly FoundField[]): string[] =>
  (type?.requiredFields ?? []).filter((name) => name !== 'title' && !fields.some(({ key }) => key === name))

const dayOf = ({ startedAt, timeZone }: Conversation['context']): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(startedAt)
