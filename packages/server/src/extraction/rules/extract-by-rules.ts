// The built-in extractor: rules over what was found in the words. It knows no organization but by the definitions it is
// given, costs nothing and says the same of the same words every time.
import { findMentions } from '../mentions/find-mentions.js'
import type { Conversation, FoundField, RulesMemory, Understanding, Vocabulary, WorkType } from '../understanding.js'
import { chooseKind } from './choose-kind.js'
import { findFields } from './find-fields.js'
import { findSignals } from './find-signals.js'
import { type Line, linesOf } from './lines.js'
import { type SoughtField, soughtFacts, soughtWorkFields } from './sought-fields.js'
import { summaryOf, titleOf } from './summarize.js'

export const RULES = 'rules'

export function extractByRules(conversation: Conversation): Understanding {
  const { segments, context, vocabulary, memory = {} } = conversation
  const mentions = conversation.mentions ?? findMentions(segments, context)
  const lines = linesOf(segments, mentions, linesIn(memory))
  memory.lines = lines
  const canonicalKind = chooseKind(lines, vocabulary.workTypes)
  const type = workTypeOf(vocabulary, canonicalKind)
  const { fields: sought, factKeys } = soughtIn(memory, vocabulary, type)
  const { fields, denied } = findFields(lines, sought, dayOf(context))
  return {
    extractor: RULES,
    fallbackReason: null,
    mentions,
    facts: fields.filter(({ key }) => factKeys.has(key)),
    denied,
    signals: findSignals(lines, vocabulary.signals, memory),
    canonicalKind,
    fields,
    missingFields: missingOf(type, fields),
    title: titleOf(lines),
    summary: summaryOf(lines, fields),
  }
}

interface Sought {
  /** Of which definitions. */
  readonly definitions: string
  readonly fields: readonly SoughtField[]
  readonly factKeys: ReadonlySet<string>
}

const linesIn = ({ lines }: RulesMemory): Line[] | undefined => lines as Line[] | undefined

/** The same list as before while the definitions are the same: what lines were found to say rests on it. */
function soughtIn(memory: RulesMemory, { facts }: Vocabulary, type: WorkType | undefined): Sought {
  const definitions = JSON.stringify([facts, type])
  const known = memory.fields as Sought | undefined
  if (known?.definitions === definitions) return known
  const sought = soughtFacts(facts)
  const ofWork = soughtWorkFields(type, sought)
  const fields = [...sought.filter(isOwn), ...ofWork, ...sought.filter(isBuiltIn)]
  const made: Sought = { definitions, fields, factKeys: new Set(sought.map(({ key }) => key)) }
  memory.fields = made
  return made
}

const isBuiltIn = ({ origin }: SoughtField): boolean => origin === 'built-in'
const isOwn = (field: SoughtField): boolean => !isBuiltIn(field)

/** The kind that a draft without one would get. */
function workTypeOf({ workTypes }: Vocabulary, kind: string | null): WorkType | undefined {
  return workTypes.find(({ canonicalKind }) => canonicalKind === (kind ?? 'service_request'))
}

const missingOf = (type: WorkType | undefined, fields: readonly FoundField[]): string[] =>
  (type?.requiredFields ?? []).filter((name) => name !== 'title' && !fields.some(({ key }) => key === name))

/** A formatter takes milliseconds to make, and there are some hundred zones. */
const calendars = new Map<string, Intl.DateTimeFormat>()

function dayOf({ startedAt, timeZone }: Conversation['context']): string {
  const calendar =
    calendars.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  calendars.set(timeZone, calendar)
  return calendar.format(startedAt)
}
