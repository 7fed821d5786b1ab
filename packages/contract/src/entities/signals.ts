// What was noticed in conversations: signals, their definitions and their raw detections.
import { entity, equal } from '../entity.js'
import {
  confidence,
  flag,
  freeForm,
  instant,
  list,
  longText,
  nullable,
  oneOf,
  readOnly,
  required,
  text,
  uuid,
} from '../field.js'
import { limits } from '../limits.js'
import { evidence } from './knowledge.js'

export const severities = ['info', 'warning', 'critical'] as const

export const signals = entity({
  slug: 'signals',
  name: 'signal',
  label: 'Signals',
  description: 'A complaint, an upsell, an escalation: something noticed with confidence.',
  verbs: 'LG',
  fields: {
    kind: required(text()),
    signalKey: readOnly(text()),
    confidence: required(confidence()),
    severity: oneOf(severities, 'info'),
    callSessionId: nullable(uuid('call')),
    workRecordId: nullable(uuid('work_record')),
    personId: nullable(uuid('person')),
    firedAt: instant(),
    details: freeForm(),
    evidence: evidence(),
  },
  about: {
    kind: 'What was noticed: the `key` of a signal definition, or a word of your own.',
    signalKey: 'The same as `kind`.',
    confidence: 'How sure whoever noticed it is, from 0 to 1.',
    severity: 'How much it matters, from its definition.',
    callSessionId: 'The call in which it was noticed.',
    workRecordId: 'The work that it concerns.',
    personId: 'Whom it concerns.',
    firedAt: 'When it fired.',
    details: 'Whatever else was noticed.',
    evidence: 'Where exactly it showed.',
  },
  search: ['kind'],
  filters: {
    ...equal('kind', 'callSessionId', 'workRecordId'),
    signalKey: { field: 'kind', op: '=' },
    minConfidence: { field: 'confidence', op: '>=' },
  },
})

export const signalDefinitions = entity({
  slug: 'signal-definitions',
  batch: true,
  name: 'signal_definition',
  label: 'Signal definitions',
  description: 'A kind of signal: how severe it is and how sure we must be before it fires.',
  verbs: 'LGCPD',
  fields: {
    key: required(text()),
    label: text(),
    description: nullable(longText()),
    severity: oneOf(severities, 'info'),
    fireThreshold: nullable(confidence()),
    enabled: flag(true),
    phrases: list(text(), limits.hints),
  },
  about: {
    key: 'The `kind` of its signals. Posting a known key updates its definition.',
    label: 'What people call it. Made from the key unless you say.',
    description: 'When it is meant to fire, for people and models that detect it.',
    severity: 'How much such a signal matters.',
    fireThreshold: 'Detections at least this sure fire; null: as `settings.signalFireThreshold` says.',
    enabled: 'False: detections are kept, and nothing fires.',
    phrases: 'What callers say when it is the case; the extractor fires it on any of them that is not negated.',
  },
  search: ['key', 'label'],
  filters: ['key'],
  unique: [['key']],
})

export const signalEvents = entity({
  slug: 'signal-events',
  name: 'signal_event',
  label: 'Signal events',
  description: 'Every raw detection of a signal, whether or not it was sure enough to fire.',
  verbs: 'LGC',
  fields: {
    kind: required(text()),
    confidence: required(confidence()),
    signalDefinitionId: nullable(uuid('signal_definition')),
    callSessionId: nullable(uuid('call')),
    messageId: nullable(uuid('message')),
    personId: nullable(uuid('person')),
    workRecordId: nullable(uuid('work_record')),
    detectedAt: instant(),
    details: freeForm(),
    evidence: evidence(),
  },
  about: {
    kind: 'What was detected: the `key` of a signal definition, or a word of your own.',
    confidence: 'How sure the detection is, from 0 to 1. At or over the threshold it fires a signal.',
    signalDefinitionId: 'The definition of its kind, where there is one.',
    callSessionId: 'The call in which it was detected.',
    messageId: 'The message in which it was detected.',
    personId: 'Whom it concerns.',
    workRecordId: 'The work that it concerns.',
    detectedAt: 'When it was detected. Now, unless you say otherwise.',
    details: 'Whatever else was detected.',
    evidence: 'Where exactly it showed.',
  },
  search: ['kind'],
  filters: ['kind', 'callSessionId', 'workRecordId'],
})
