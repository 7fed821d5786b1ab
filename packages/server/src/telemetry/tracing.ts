// Spans of a trace, as the rest of the server knows them. By default nobody listens and a span is nothing; what sends
// them is `open-telemetry.ts`. A trace goes on across processes and tables as a `traceparent` (W3C Trace Context).

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

export interface SpanStart {
  readonly name: string
  readonly kind: 'server' | 'client' | 'internal'
  /** The `traceparent` that it continues; a new trace is begun without one, or when it is none. */
  readonly parent?: string | undefined
  /** Ids, numbers and words of ours: nothing that a person has said, and no address, number or query of theirs. */
  readonly attributes?: Attributes
}

export interface Span {
  /** For whoever continues the trace; undefined when nobody is to. */
  readonly traceparent: string | undefined
  set(attributes: Attributes): void
  /** `errorType` when it failed: a status, or a word from our own code. */
  end(errorType?: string): void
}

export interface Tracing {
  /** False: nobody listens, so nothing needs to be carried along. */
  readonly isOn: boolean
  /** Whether webhooks continue the trace of what caused them. */
  readonly isPropagated: boolean
  start(span: SpanStart): Span
}

const noSpan: Span = { traceparent: undefined, set: () => undefined, end: () => undefined }

export const noTracing: Tracing = { isOn: false, isPropagated: false, start: () => noSpan }

const pattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

export interface TraceParent {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

/** Undefined when it is none. */
export function readTraceparent(text: unknown): TraceParent | undefined {
  const [, traceId, spanId, flags = '0'] = (typeof text === 'string' && pattern.exec(text)) || []
  return traceId && spanId ? { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 } : undefined
}

export const traceparentOf = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
