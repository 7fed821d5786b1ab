// What people decide: on a draft (approve, reject, report as synced) and on a fact (promote).
import { bodyWith, ruledBody, type Sent } from './body.js'
import { externalRef } from './entity.js'
import { described, list, longText, mergedForm, nullable, oneOf, optional, uuid } from './field.js'
import { limits } from './limits.js'

export const draftApprovalBody = bodyWith(
  {
    payload: optional(mergedForm()),
    customerId: optional(nullable(uuid('customer'))),
    acceptFactIds: optional(list(uuid('fact'))),
    rejectFactIds: optional(list(uuid('fact'))),
  },
  {
    required: false,
    about: {
      payload: 'Merged over the payload of the draft.',
      customerId: 'The customer that the work is for; that of the draft, the call or the caller unless you say.',
      acceptFactIds: 'Facts that are confirmed with it.',
      rejectFactIds: 'Facts that are rejected with it.',
    },
  },
)
export type DraftApproval = Sent<typeof draftApprovalBody>

export const draftRejectionBody = bodyWith(
  { reason: optional(nullable(longText())) },
  { required: false, about: { reason: 'Why, for whoever proposed it.' } },
)

export const draftSyncedBody = bodyWith(
  {
    externalRefs: optional(
      described(
        list(externalRef, limits.externalRefs),
        'What it is called where it went; added to those of the draft.',
      ),
    ),
  },
  { required: false },
)

/** What a fact can be promoted to a lasting attribute of. */
export const promotionTargets = ['person', 'company', 'customer'] as const

/** Without a target, it follows from the definition and the subject. */
export const factPromotionBody = ruledBody(
  bodyWith(
    { targetSubjectType: optional(oneOf(promotionTargets)), targetSubjectId: optional(uuid()) },
    {
      required: false,
      about: {
        targetSubjectType: 'What it becomes an attribute of. Alone it picks among those that the work record names.',
        targetSubjectId: 'Whose attribute it becomes.',
      },
    },
  ),
  { dependentRequired: { targetSubjectId: ['targetSubjectType'] } },
)
export type FactPromotion = Sent<typeof factPromotionBody>
