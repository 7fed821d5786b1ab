// The registry: every entity that is reachable as `/{entity}`, in the order of `GET /schema`.
import type { Entity } from '../entity.js'
import { calls, voicemails } from './calls.js'
import { conversations, messages, phoneNumbers, sms } from './conversations.js'
import { drafts } from './drafts.js'
import { fieldHistoryEntries, fieldValues } from './field-values.js'
import { externalRefs, integrationConnections, webhookSubscriptions } from './integrations.js'
import { factDefinitions, facts } from './knowledge.js'
import { moneyRecords } from './money-records.js'
import { companies, contactMethods, customers, locations, parties, people } from './people.js'
import { savedViews } from './saved-views.js'
import { signalDefinitions, signalEvents, signals } from './signals.js'
import { appointments, notes, tasks, workRecords, workTypeDefinitions } from './work.js'
import { workflowRuns } from './workflow-runs.js'

export const entities: readonly Entity[] = [
  people,
  workRecords,
  parties,
  customers,
  companies,
  locations,
  contactMethods,
  moneyRecords,
  conversations,
  integrationConnections,
  externalRefs,
  fieldValues,
  fieldHistoryEntries,
  signalDefinitions,
  signalEvents,
  workTypeDefinitions,
  tasks,
  notes,
  appointments,
  workflowRuns,
  calls,
  sms,
  messages,
  voicemails,
  drafts,
  facts,
  factDefinitions,
  signals,
  phoneNumbers,
  savedViews,
]

/** The same in words, for documents. */
export const whatIsKept = 'Calls, texts, voicemails, drafts, facts, signals, people and units of work'

/** Everything that is stored as a record, reachable as `/{entity}` or not. */
export const storedEntities: readonly Entity[] = [...entities, webhookSubscriptions]

export const entityNamed = (name: string): Entity | undefined => entities.find((entity) => entity.name === name)
