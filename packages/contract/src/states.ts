// Every state machine as a table that server, SDK and cockpit share. A move that is not in its table is a conflict.

export interface Move<State extends string> {
  readonly from: readonly State[]
  readonly to: State
}

/** Which states may follow which, where the new state is sent rather than reached by a named action. */
export type Moves<State extends string> = { readonly [S in State]: readonly State[] }

export const recordStates = ['draft', 'active', 'blocked', 'completed', 'canceled'] as const
export type RecordState = (typeof recordStates)[number]
export const recordStateMoves = {
  draft: ['active', 'canceled'],
  active: ['blocked', 'completed', 'canceled'],
  blocked: ['active', 'completed', 'canceled'],
  completed: ['active'],
  canceled: ['active'],
} as const satisfies Moves<RecordState>

export const draftStatuses = ['draft', 'pending_review', 'approved', 'rejected', 'synced'] as const
export type DraftStatus = (typeof draftStatuses)[number]
export const draftMoves = {
  submit: { from: ['draft'], to: 'pending_review' },
  approve: { from: ['draft', 'pending_review'], to: 'approved' },
  reject: { from: ['draft', 'pending_review'], to: 'rejected' },
  reopen: { from: ['rejected'], to: 'pending_review' },
  synced: { from: ['approved'], to: 'synced' },
} as const satisfies Record<string, Move<DraftStatus>>
/** A draft may be edited only before someone has decided on it. */
export const editableDraftStatuses: readonly DraftStatus[] = ['draft', 'pending_review']

export const factStatuses = ['proposed', 'confirmed', 'rejected', 'promoted', 'superseded'] as const
export type FactStatus = (typeof factStatuses)[number]
export const factMoves = {
  confirm: { from: ['proposed'], to: 'confirmed' },
  reject: { from: ['proposed'], to: 'rejected' },
  // A proposed fact on a work record is confirmed first, by the handler.
  promote: { from: ['confirmed'], to: 'promoted' },
} as const satisfies Record<string, Move<FactStatus>>

export const phoneNumberStatuses = ['active', 'released', 'retired'] as const
export type PhoneNumberStatus = (typeof phoneNumberStatuses)[number]
export const phoneNumberMoves = {
  active: ['released', 'retired'],
  released: ['active', 'retired'],
  retired: [],
} as const satisfies Moves<PhoneNumberStatus>

export const subscriptionStatuses = ['active', 'paused', 'disabled'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]
export const subscriptionMoves = {
  active: ['paused', 'disabled'],
  paused: ['active', 'disabled'],
  disabled: ['active'],
} as const satisfies Moves<SubscriptionStatus>

export const deliveryStatuses = ['PENDING', 'SUCCEEDED', 'FAILED', 'RETRYING', 'DEAD_LETTERED'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const callStatuses = [
  'ringing',
  'in_progress',
  'completed',
  'missed',
  'voicemail',
  'canceled',
  'failed',
] as const
export type CallStatus = (typeof callStatuses)[number]
/**
 * A report that comes late leaves the status as it is and is no error: whatever comes after the end, or tells of an
 * earlier state. Any other that is not in this table is a conflict.
 */
export const callMoves = {
  // `completed` is itself the report of an answer.
  ringing: ['in_progress', 'completed', 'missed', 'voicemail', 'canceled', 'failed'],
  in_progress: ['completed', 'failed'],
  completed: [],
  missed: ['voicemail'],
  voicemail: [],
  canceled: [],
  failed: [],
} as const satisfies Moves<CallStatus>

/** How whoever ends a call may say that it went, and the status that it then has. */
export const callOutcomes = {
  answered: 'completed',
  missed: 'missed',
  voicemail: 'voicemail',
  canceled: 'canceled',
  failed: 'failed',
} as const satisfies Record<string, CallStatus>
export type CallOutcome = keyof typeof callOutcomes

export const smsStatuses = ['queued', 'sent', 'delivered', 'undelivered', 'failed', 'received'] as const
export type SmsStatus = (typeof smsStatuses)[number]
/** A late receipt changes nothing and is no error. */
export const smsMoves = {
  queued: ['sent', 'delivered', 'undelivered', 'failed'],
  sent: ['delivered', 'undelivered', 'failed'],
  delivered: [],
  undelivered: [],
  failed: [],
  received: [],
} as const satisfies Moves<SmsStatus>

export const canMove = <S extends string>(moves: Moves<S>, from: S, to: S): boolean => moves[from].includes(to)
