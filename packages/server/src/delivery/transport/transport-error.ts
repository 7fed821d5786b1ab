// The words for what can go wrong between us and an endpoint before it answers.

/** What went wrong before any status line arrived. */
export type TransportError =
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'dns_error'
  | 'tls_error'
  | 'blocked_address'
