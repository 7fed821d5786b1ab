// Views of work that somebody has named: filters that everybody in the organization can go back to.
import { entity } from '../entity.js'
import { line, nullable, object, oneOf, required, text, uuid, withDefault, word } from '../field.js'
import { limits } from '../limits.js'
import { recordStates } from '../states.js'
import { origins } from './people.js'
import { canonicalKind, priorities } from './work.js'

/** The filters of work records, null where a view leaves one open. */
const filters = () =>
  object(
    {
      q: nullable(line(limits.queryLength)),
      kind: nullable(canonicalKind()),
      status: nullable(word()),
      stage: nullable(word()),
      recordState: nullable(oneOf(recordStates)),
      priority: nullable(oneOf(priorities)),
      source: nullable(oneOf(origins)),
      customerId: nullable(uuid()),
      primaryPersonId: nullable(uuid()),
      assignedToId: nullable(uuid()),
    },
    {
      q: 'Words that are searched for.',
      kind: 'The `canonicalKind` of the work.',
      status: 'Where the work stands in your own words.',
      stage: 'How far it came in your own words.',
      recordState: 'Where it stands for every organization alike.',
      priority: 'How soon it matters.',
      source: 'What made it.',
      customerId: 'The customer that it is for.',
      primaryPersonId: 'Whom to talk to about it.',
      assignedToId: 'The user who does it.',
    },
  )

const unfiltered = {
  q: null,
  kind: null,
  status: null,
  stage: null,
  recordState: null,
  priority: null,
  source: null,
  customerId: null,
  primaryPersonId: null,
  assignedToId: null,
}

export const savedViews = entity({
  slug: 'saved-views',
  name: 'saved_view',
  label: 'Saved views',
  description: 'Filters of work under a name. Everybody in the organization sees the same ones.',
  verbs: 'LGCPD',
  fields: {
    name: required(text()),
    layout: oneOf(['table', 'board'], 'table'),
    filters: withDefault(filters(), unfiltered),
  },
  about: {
    name: 'What people call it.',
    layout: 'How the work is shown.',
    filters: 'Query parameters of `GET /work-records`. What is null is left open.',
  },
  search: ['name'],
  filters: [],
})
