// Every endpoint of the API, in the order of the specification: its table of contents, as a value.
import {
  calls,
  conversations,
  drafts,
  factDefinitions,
  facts,
  messages,
  phoneNumbers,
  signalDefinitions,
  signalEvents,
  signals,
  sms,
  voicemails,
  workRecords,
} from '@parley/contract'
import type { Endpoint } from '../http/endpoint.js'
import { apiKeyEndpoints } from './api-keys.js'
import { crud } from './crud.js'
import { deletedRecordEndpoints } from './deleted-records.js'
import { companyEndpoints, contactMethodEndpoints, customerEndpoints, locationEndpoints, partyEndpoints } from './directory.js'
import { externalRefEndpoints } from './external-refs.js'
import { integrationEndpoints } from './integrations.js'
import { organizationEndpoints } from './organization.js'
import { peopleEndpoints } from './people.js'
import { schemaEndpoints } from './schema.js'
import {
  appointmentEndpoints,
  fieldHistoryEndpoints,
  fieldValueEndpoints,
  moneyEndpoints,
  noteEndpoints,
  taskEndpoints,
  workflowRunEndpoints,
  workTypeEndpoints,
} from './work.js'

export const endpoints: readonly Endpoint[] = [
  ...schemaEndpoints,
  ...crud(workRecords),
  ...workTypeEndpoints,
  ...peopleEndpoints,
  ...partyEndpoints,
  ...customerEndpoints,
  ...companyEndpoints,
  ...locationEndpoints,
  ...contactMethodEndpoints,
  ...crud(phoneNumbers),
  ...crud(conversations),
  ...crud(sms),
  ...crud(messages),
  ...crud(voicemails),
  ...crud(calls),
  ...crud(signals),
  ...crud(signalDefinitions),
  ...crud(signalEvents),
  ...crud(drafts),
  ...crud(facts),
  ...crud(factDefinitions),
  ...taskEndpoints,
  ...noteEndpoints,
  ...appointmentEndpoints,
  ...moneyEndpoints,
  ...workflowRunEndpoints,
  ...fieldValueEndpoints,
  ...fieldHistoryEndpoints,
  ...integrationEndpoints,
  ...externalRefEndpoints,
  ...deletedRecordEndpoints,
  ...organizationEndpoints,
  ...apiKeyEndpoints,
]
