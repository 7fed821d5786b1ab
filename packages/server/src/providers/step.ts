// What requests of providers come to, in words of our own: the steps that a worker takes through the API's endpoints.

/** Names of one call. The first pair is what the call is created under. */
export interface CallNames {
  readonly provider: string
  readonly providerCallId: string
  /** Under which other systems know it too. */
  readonly alias?: { readonly system: string; readonly externalId: string } | undefined
}

export interface SpokenSegment {
  readonly sequence: number
  readonly speaker: 'agent' | 'caller' | 'ai' | 'third_party' | 'system'
  readonly text: string
  /** Either counted from the start of the call, or as a time of day that is brought to that. */
  readonly startMs: number | { readonly at: string }
  readonly endMs?: number | null
  readonly confidence?: number | null
}

type Values = Readonly<Record<string, unknown>>

export type Step =
  /** Our number, made if nobody knows it yet. */
  | { readonly kind: 'number'; readonly e164: string }
  | { readonly kind: 'sms'; readonly body: Values & { readonly providerMessageId: string } }
  | {
      readonly kind: 'sms-status'
      /** Our own id, where the provider gives it back. */
      readonly smsId: string | null
      readonly providerMessageId: string
      readonly report: Values
    }
  /** Begins the call, or adds to what is known of it. */
  | { readonly kind: 'call'; readonly call: CallNames; readonly body: Values }
  /** Adds to a call that is known. */
  | { readonly kind: 'call-report'; readonly call: CallNames; readonly body: Values; readonly unless?: CallCondition }
  | {
      readonly kind: 'segments'
      readonly call: CallNames
      readonly segments: readonly SpokenSegment[]
      /** The transcript comes as a whole that begins so: one that begins otherwise, and is there already, stays. */
      readonly opening?: SpokenSegment | undefined
    }
  | { readonly kind: 'facts'; readonly call: CallNames; readonly facts: readonly Values[] }
  | { readonly kind: 'end'; readonly call: CallNames; readonly body: Values; readonly unless?: CallCondition }
  /** The caller left a message, known by its recording. */
  | {
      readonly kind: 'voicemail'
      readonly call: CallNames | null
      readonly recording: { readonly system: string; readonly externalId: string }
      readonly body: Values
    }
  /** The audio of the call is at this address, or is here. */
  | { readonly kind: 'recording'; readonly call: CallNames; readonly source: RecordingSource }

export type RecordingSource = { readonly url: string } | { readonly base64: string; readonly mediaType: string }

/** A step that depends on how the call is known by then; true: it is not taken. */
export type CallCondition = (call: KnownCall) => boolean

export interface KnownCall {
  readonly status: string
  readonly endedAt: string | null
  readonly voicemailId: string | null
  readonly metadata: Values
}
