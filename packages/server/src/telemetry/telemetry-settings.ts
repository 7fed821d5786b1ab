// What is sent to an OpenTelemetry collector, and how; the settings say so by the standard variables.

export interface TelemetrySettings {
  readonly serviceName: string
  readonly resource: Readonly<Record<string, string>>
  readonly protocol: 'http/protobuf' | 'http/json'
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly traces:
    | {
        readonly url: string
        readonly sampler:
          | 'always_on'
          | 'always_off'
          | 'traceidratio'
          | 'parentbased_always_on'
          | 'parentbased_always_off'
          | 'parentbased_traceidratio'
        readonly share: number
        /** Whether callers may bring a trace, and webhooks continue it. */
        readonly isPropagated: boolean
        readonly everyMs: number
      }
    | undefined
  readonly metrics: { readonly url: string; readonly everyMs: number } | undefined
}
