// Every endpoint of the API, in the order of the specification: its table of contents, as a value.
import { entities } from '@parley/contract'
import type { Network } from '../delivery/transport/address-policy.js'
import type { Endpoint } from '../http/endpoint.js'
import { type Limit, memoryBuckets } from '../http/gate/rate-limit.js'
import type { Carriers } from '../telephony/carrier.js'
import { apiKeyEndpoints } from './account/api-keys.js'
import { deletedRecordEndpoints } from './account/deleted-records.js'
import { externalRefEndpoints } from './account/external-refs.js'
import { discoveryEndpoints } from './account/openapi-endpoint.js'
import { organizationEndpoints } from './account/organization.js'
import { schemaEndpoints } from './account/schema.js'
import { calendarFeedEndpoints } from './calendar/calendar-feeds.js'
import { callEndpoints } from './calls/calls.js'
import { voicemailEndpoints } from './calls/voicemails.js'
import { draftEndpoints } from './drafts/drafts.js'
import { eventEndpoints } from './events/events.js'
import { type BatchTarget, batchEndpoint } from './generic/batch.js'
import { exportEndpoint } from './generic/export.js'
import { importEndpoints } from './imports/import-endpoints.js'
import { connectionCheckEndpoint, type ProviderApis } from './integrations/connection-check.js'
import { connectionEndpoints } from './integrations/connections.js'
import type { AdmissionParts } from './integrations/inbound-admission.js'
import { inboundEndpoint } from './integrations/inbound-endpoint.js'
import { inboundLogEndpoints } from './integrations/inbound-log-endpoints.js'
import { factDefinitionEndpoints } from './knowledge/fact-definitions.js'
import { factEndpoints } from './knowledge/facts.js'
import { signalEndpoints } from './knowledge/signals.js'
import { mergeEndpoints } from './merging/merge-endpoints.js'
import { conversationEndpoints } from './messaging/conversations.js'
import { messageEndpoints } from './messaging/messages.js'
import { phoneNumberEndpoints } from './messaging/phone-numbers.js'
import { smsEndpoints } from './messaging/send-sms.js'
import { duplicateEndpoints } from './overview/duplicates.js'
import { searchEndpoints } from './overview/search.js'
import { statsEndpoints } from './overview/stats.js'
import { timelineEndpoints } from './overview/timeline.js'
import {
  companyEndpoints,
  contactMethodEndpoints,
  customerEndpoints,
  locationEndpoints,
  partyEndpoints,
} from './people/address-book.js'
import { peopleEndpoints } from './people/people.js'
import { personUpsertEndpoints } from './people/people-upsert.js'
import { requestLogEndpoints } from './request-log/request-log-endpoints.js'
import { simulateEndpoints } from './sandbox/simulate-endpoint.js'
import { signInEndpoints } from './sign-in/index.js'
import type { SigningIn } from './sign-in/signing-in.js'
import { qualityEndpoints } from './understanding/fact-quality.js'
import { modelCallEndpoints } from './understanding/model-calls.js'
import { previewEndpoints } from './understanding/preview-endpoint.js'
import { deliveryEndpoints } from './webhooks/deliveries.js'
import { replayEndpoints } from './webhooks/replays.js'
import { webhookEndpoints } from './webhooks/subscriptions.js'
import { savedViewEndpoints } from './work/saved-views.js'
import {
  appointmentEndpoints,
  fieldHistoryEndpoints,
  fieldValueEndpoints,
  moneyEndpoints,
  noteEndpoints,
  taskEndpoints,
  workflowRunEndpoints,
} from './work/work-items.js'
import { workRecordSearchEndpoints } from './work/work-record-search.js'
import { workRecordEndpoints } from './work/work-records.js'
import { workTypeEndpoints } from './work/work-type-definitions.js'

/** What endpoints need that differs from one server to another. */
export interface EndpointParts {
  /** The carriers that live texts can go to, by provider. */
  readonly carriers: Carriers
  /** Networks that webhooks may reach besides public addresses. */
  readonly webhookNetworks: readonly Network[]
  /** Networks that recordings may be fetched from besides public addresses. */
  readonly recordingNetworks: readonly Network[]
  /** Addresses of models that connections may point to. */
  readonly modelUrls: readonly string[]
  /** How long events, finished deliveries and deleted records are kept. */
  readonly retentionDays: number
  /** How many items of batches a tenant may send. */
  readonly batchItems: Limit
  /** How large a file to import may be. */
  readonly importFileBytes: number
  /** How providers are asked; left out where none is. */
  readonly providerApis?: ProviderApis
  /** How requests of providers are let in. */
  readonly inbound?: AdmissionParts
  /** How people sign in; left out where nobody does. */
  readonly signingIn?: SigningIn
}

export function endpointsWith(parts: EndpointParts): readonly Endpoint[] {
  const single = endpointsBesideDiscovery(parts)
  const described = [...single, ...batchTargets(single).map(batchEndpoint), ...exportsOf(single)]
  return [...described, ...discoveryEndpoints(described)]
}

const endpointsBesideDiscovery = ({
  carriers,
  webhookNetworks,
  recordingNetworks,
  modelUrls,
  retentionDays,
  batchItems,
  importFileBytes,
  providerApis = () => undefined,
  inbound = { buckets: memoryBuckets(), limit: { sustained: 1, burst: 1 }, onRefused: () => {} },
  signingIn = { sessionLifetimeMs: 0, openId: undefined, mail: undefined },
}: EndpointParts): readonly Endpoint[] => [
  ...schemaEndpoints({ retentionDays, batchItems }),
  ...workRecordEndpoints,
  ...workRecordSearchEndpoints,
  ...workTypeEndpoints,
  ...savedViewEndpoints,
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
  ...voicemailEndpoints(recordingNetworks),
  ...callEndpoints,
  ...signalEndpoints,
  ...draftEndpoints,
  ...factEndpoints,
  ...factDefinitionEndpoints,
  ...previewEndpoints,
  ...modelCallEndpoints,
  ...qualityEndpoints,
  ...taskEndpoints,
  ...noteEndpoints,
  ...appointmentEndpoints,
  ...calendarFeedEndpoints,
  ...moneyEndpoints,
  ...workflowRunEndpoints,
  ...fieldValueEndpoints,
  ...fieldHistoryEndpoints,
  ...connectionEndpoints(modelUrls),
  connectionCheckEndpoint(providerApis),
  ...inboundLogEndpoints,
  inboundEndpoint(inbound),
  ...externalRefEndpoints,
  ...webhookEndpoints(webhookNetworks),
  ...deliveryEndpoints,
  ...replayEndpoints,
  ...eventEndpoints,
  ...importEndpoints({ fileBytes: importFileBytes }),
  ...requestLogEndpoints,
  ...deletedRecordEndpoints,
  ...timelineEndpoints,
  ...duplicateEndpoints,
  ...mergeEndpoints,
  ...searchEndpoints,
  ...statsEndpoints,
  ...organizationEndpoints,
  ...apiKeyEndpoints,
  ...signInEndpoints(signingIn),
  ...simulateEndpoints,
]

/** An export for each list of an entity, with what the list shows. */
const exportsOf = (all: readonly Endpoint[]): Endpoint[] =>
  entities.flatMap((entity) => {
    const list = all.find(({ method, path }) => method === 'GET' && path === `/${entity.slug}`)
    return list?.presents ? [exportEndpoint(entity, list.presents)] : []
  })

/** The entities that are written many at once, with the endpoints that write one. */
export function batchTargets(all: readonly Endpoint[]): BatchTarget[] {
  const at = (method: string, path: string) => all.find((one) => one.method === method && one.path === path)
  return entities
    .filter(({ batch }) => batch)
    .map((entity) => {
      const [create, patch] = [at('POST', `/${entity.slug}`), at('PATCH', `/${entity.slug}/{id}`)]
      if (create === undefined || patch === undefined) throw new Error(`${entity.slug} has no POST and PATCH to batch`)
      return { entity, create, patch }
    })
}

/** How the rows of files are written: people who are matched by number or address go where these are looked up. */
export function importTargets(all: readonly Endpoint[]): (slug: string, matchBy: string) => BatchTarget | undefined {
  const bySlug = new Map(batchTargets(all).map((target) => [target.entity.slug, target]))
  return (slug, matchBy) => {
    const target = bySlug.get(slug)
    if (target === undefined || matchBy === 'externalRefs') return target
    const upsert = all.find(({ path }) => path === `/${slug}/upsert`)
    return upsert && { ...target, create: upsert }
  }
}

/** Endpoints by their operation ids, for whoever acts through them from inside. */
export function operationsOf(all: readonly Endpoint[]): (operationId: string) => Endpoint {
  const byId = new Map(all.map((endpoint) => [endpoint.operationId, endpoint]))
  return (operationId) => {
    const found = byId.get(operationId)
    if (found === undefined) throw new Error(`No endpoint is called ${operationId}`)
    return found
  }
}

/** The endpoints of a server without carriers: paths, scopes and shapes are the same on every server. */
export const endpoints: readonly Endpoint[] = endpointsWith({
  carriers: {},
  webhookNetworks: [],
  recordingNetworks: [],
  modelUrls: [],
  retentionDays: 90,
  batchItems: { sustained: 500, burst: 2_000 },
  importFileBytes: 1024 ** 3,
})
