// Every endpoint of the API, in the order of the specification: its table of contents, as a value.
import type { Network } from '../delivery/address.js'
import type { Endpoint } from '../http/endpoint.js'
import type { Carriers } from '../telephony/carrier.js'
import { apiKeyEndpoints } from './api-keys.js'
import { calendarFeedEndpoints } from './calendar-feeds.js'
import { callEndpoints } from './calls.js'
import { conversationEndpoints } from './conversations.js'
import { deletedRecordEndpoints } from './deleted-records.js'
import { deliveryEndpoints } from './deliveries.js'
import { companyEndpoints, contactMethodEndpoints, customerEndpoints, locationEndpoints, partyEndpoints } from './directory.js'
import { discoveryEndpoints } from './discovery.js'
import { draftEndpoints } from './drafts.js'
import { eventEndpoints } from './events.js'
import { externalRefEndpoints } from './external-refs.js'
import { factDefinitionEndpoints } from './fact-definitions.js'
import { factEndpoints } from './facts.js'
import { integrationEndpoints } from './integrations.js'
import { messageEndpoints } from './messages.js'
import { organizationEndpoints } from './organization.js'
import { peopleEndpoints } from './people.js'
import { personUpsertEndpoints } from './people-upsert.js'
import { phoneNumberEndpoints } from './phone-numbers.js'
import { replayEndpoints } from './replays.js'
import { schemaEndpoints } from './schema.js'
import { signalEndpoints } from './signals.js'
import { simulateEndpoints } from './simulate.js'
import { smsEndpoints } from './sms.js'
import { voicemailEndpoints } from './voicemails.js'
import { webhookEndpoints } from './webhooks.js'
import { appointmentEndpoints, fieldHistoryEndpoints, fieldValueEndpoints, moneyEndpoints, noteEndpoints, taskEndpoints, workflowRunEndpoints } from './work.js'
import { workRecordSearchEndpoints } from './work-record-search.js'
import { workRecordEndpoints } from './work-records.js'
import { workTypeEndpoints } from './work-type-definitions.js'

/** What endpoints need that differs from one server to another. */
export interface EndpointParts {
  /** The carriers that live texts can go to, by provider. */
  readonly carriers: Carriers
  /** Networks that webhooks may reach besides public addresses. */
  readonly webhookNetworks: readonly Network[]
  /** How long events, finished deliveries and deleted records are kept. */
  readonly retentionDays: number
}

export function endpointsWith(parts: EndpointParts): readonly Endpoint[] {
  const described = endpointsBesideDiscovery(parts)
  return [...described, ...discoveryEndpoints(described)]
}

const endpointsBesideDiscovery = ({ carriers, webhookNetworks, retentionDays }: EndpointParts): readonly Endpoint[] => [
  ...schemaEndpoints(retentionDays),
  ...workRecordEndpoints,
  ...workRecordSearchEndpoints,
  ...workTypeEndpoints,
  ...peopleEndpoints,
  ...personUpsertEndpoints,
  ...partyEndpoints,
  ...customerEndpoints,
  ...companyEndpoints,
  ...locationEndpoints,
  ...contactMethodEndpoints,
  ...phoneNumberEndpoints,
  ...conversationEndpoints,
  ...smsEndpoints(carriers),
  ...messageEndpoints,
  ...voicemailEndpoints,
  ...callEndpoints,
  ...signalEndpoints,
  ...draftEndpoints,
  ...factEndpoints,
  ...factDefinitionEndpoints,
  ...taskEndpoints,
  ...noteEndpoints,
  ...appointmentEndpoints,
  ...calendarFeedEndpoints,
  ...moneyEndpoints,
  ...workflowRunEndpoints,
  ...fieldValueEndpoints,
  ...fieldHistoryEndpoints,
  ...integrationEndpoints,
  ...externalRefEndpoints,
  ...webhookEndpoints(webhookNetworks),
  ...deliveryEndpoints,
  ...replayEndpoints,
  ...eventEndpoints,
  ...deletedRecordEndpoints,
  ...organizationEndpoints,
  ...apiKeyEndpoints,
  ...simulateEndpoints,
]

/** The endpoints of a server without carriers: paths, scopes and shapes are the same on every server. */
export const endpoints: readonly Endpoint[] = endpointsWith({ carriers: {}, webhookNetworks: [], retentionDays: 90 })
