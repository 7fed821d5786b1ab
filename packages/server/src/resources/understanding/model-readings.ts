// What a model made of the same words before, from the draft that keeps it: a call that is given a person after its end
// is not read, and paid for, a second time.
import { drafts } from '@parley/contract'
import { builtInFacts } from '../../extraction/built-in-facts.js'
import type { FoundField, Understanding } from '../../extraction/understanding.js'
import type { Reader } from '../../store/reader.js'
import type { Draft } from '../drafts/drafts.js'
import { definitionsOf } from './fact-keys.js'
import { placesOf, type Spoken, type SpokenCall } from './spoken.js'

type Extraction = NonNullable<Draft['extraction']>

export async function readBefore(
  read: Reader,
  spoken: Spoken | SpokenCall,
  byRules: Understanding,
): Promise<Understanding | undefined> {
  if (!('call' in spoken)) return undefined
  const known = await read.find(drafts, { callSessionId: spoken.call.id })
  const kept = known.findLast(({ extraction }) => extraction?.fingerprint === spoken.fingerprint)?.extraction
  return kept?.extractor.startsWith('model:') ? asRead(read, spoken, kept, byRules) : undefined
}

async function asRead(
  read: Reader,
  spoken: SpokenCall,
  { extractor, canonicalKind, title, summary, fields: kept }: Extraction,
  byRules: Understanding,
): Promise<Understanding> {
  const definitions = [...(await definitionsOf(read)), ...builtInFacts]
  const facts = kept.flatMap(({ key, value, confidence, evidence }): FoundField[] => {
    const wanted = definitions.find((definition) => definition.key === key)
    if (wanted === undefined) return []
    const { label, valueType } = wanted
    return [{ key, label, value, valueType, confidence, rule: 'model', evidence: placesOf(spoken, evidence) }]
  })
  const isFact = new Set(facts.map(({ key }) => key))
  const ofWork = byRules.fields.filter(({ key }) => kept.some((one) => one.key === key) && !isFact.has(key))
  return { ...byRules, extractor, canonicalKind, title, summary, facts, fields: [...facts, ...ofWork] }
}
