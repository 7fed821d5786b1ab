// What the event log knows of an event besides its type: to what it belongs.

/** The call that an event belongs to, whichever way its data names it: what the surface of the call lists. */
function callOf(data: Readonly<Record<string, unknown>>): string | null {
  const named = data['callId'] ?? data['callSessionId']
  if (typeof named === 'string') return named
  for (const part of Object.values(data)) {
    if (typeof part !== 'object' || part === null) continue
    const { callSessionId, sourceCallSessionId } = part as { callSessionId?: unknown; sourceCallSessionId?: unknown }
    const id = callSessionId ?? sourceCallSessionId
    if (typeof id === 'string') return id
  }
  return null
}

/** Columns of the event log that are filled from what an event tells, so that the events of one thing are found. */
export const eventLinks: Readonly<Record<string, (data: Readonly<Record<string, unknown>>) => string | null>> = {
  call_id: callOf,
}
