// What people decide: on a draft (approve, reject, report as synced) and on a fact (promote).
import { bodyWith, ruledBody, type Sent } from './body.js'
import { externalRef } from './entity.js'
import { described, list, longText, mergedForm, nullable, oneOf, optional, uuid } from './field.js'
import { limits } from './limits.js'

export const draftApprovalBody = bodyWith(
  {
    payload: optional(described(mergedForm(), 'Merged over the payload of the draft.')),
    customerId: optional(nullable(uuid('customer'))),
    acceptFactIds: optional(list(uuid('fact'))),
    rejectFactIds: optional(list(uuid('fact'))),
  },
  { required: false },
)
export type DraftApproval = Sent<typeof draftApprovalBody>

export const draftRejectionBody = bodyWith({ reason: optional(nullable(longText())) }, { required: false })

export const draftSyncedBody = bodyWith(
  { externalRefs: optional(described(list(externalRef, limits.externalRefs), 'Added to those of the draft.')) },
  { required: false },
)

/** What a fact can be promoted to a lasting attribute of. */
export const promotionTargets = ['person', 'company', 'customer'] as const

/** Without a target, it follows from the definition and the subject. */
export const factPromotionBody = ruledBody(
  bodyWith(
    { targetSubjectType: optional(oneOf(promotionTargets)), targetSubjectId: optional(uuid()) },
    { required: false },
  ),
  { dependentRequired: { targetSubjectId: ['targetSubjectType'] } },
)
export type FactPromotion = Sent<typeof factPromotionBody>
