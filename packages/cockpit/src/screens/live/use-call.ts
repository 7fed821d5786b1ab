// One call as it happens: its surface and what was said, kept in the query cache and fed by the call's own stream while
// it runs and the page is visible.
import type { CallSurface, Segment } from '@parley/sdk'
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { usePlace } from '../../api/place'
import { useVisible } from '../../api/use-visible'

export type Watching = 'off' | 'connecting' | 'live' | 'broken'

export function useCall(callId: string) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const isVisible = useVisible()
  const [watching, setWatching] = useState<Watching>('off')
  const surfaceKey = [...key, 'surface', callId]
  const transcriptKey = [...key, 'transcript', callId]
  const surface = useQuery({
    queryKey: surfaceKey,
    queryFn: ({ signal }) => parley.calls.surface(callId, { signal }),
    // The stream tells more, and sooner.
    enabled: watching !== 'live',
  })
  const transcript = useQuery({
    queryKey: transcriptKey,
    queryFn: ({ signal }) => parley.calls.transcript(callId, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isLive = surface.data?.live === true
  const isReady = transcript.isSuccess
  useEffect(() => {
    if (!isLive || !isVisible || !isReady) return
    const ending = new AbortController()
    const onBreak = () => setWatching('broken')
    const onOpen = () => setWatching('live')
    const watch = async () => {
      for await (const message of parley.calls.stream(callId, { signal: ending.signal, onBreak, onOpen })) {
        if (message.event === 'transcript') addSegments(queries, transcriptKey, message.data.segments)
        if (message.event === 'surface') takeSurface(queries, surfaceKey, transcriptKey, message.data)
      }
    }
    setWatching('connecting')
    watch().catch(onBreak)
    return () => {
      ending.abort()
      setWatching('off')
    }
    // The keys are made anew at each render but say the same for one call of one place.
  }, [callId, isLive, isVisible, isReady, parley, queries])
  return { surface, segments: transcript.data ?? none, isReady, watching }
}

const none: readonly Segment[] = []
type Queries = ReturnType<typeof useQueryClient>

function takeSurface(queries: Queries, surfaceKey: QueryKey, transcriptKey: QueryKey, surface: CallSurface): void {
  const known = queries.getQueryData<Segment[]>(transcriptKey)?.at(-1)?.sequence ?? -1
  const [first] = surface.transcript.tail
  // More was said meanwhile than the tail shows.
  if (first !== undefined && first.sequence > known + 1) void queries.invalidateQueries({ queryKey: transcriptKey })
  addSegments(queries, transcriptKey, surface.transcript.tail)
  queries.setQueryData<CallSurface>(surfaceKey, (before) =>
    before !== undefined && before.revision > surface.revision ? before : surface,
  )
}

/** A later version of a segment takes the place of the earlier one; a final one stays. */
export function merged(before: readonly Segment[], news: readonly Segment[]): Segment[] {
  const all = [...before]
  for (const segment of news) {
    let place = all.length
    while (place > 0 && (all[place - 1]?.sequence ?? -1) > segment.sequence) place -= 1
    const same = all[place - 1]
    if (same?.sequence !== segment.sequence) all.splice(place, 0, segment)
    else if (!same.isFinal || segment.isFinal) all[place - 1] = segment
  }
  return all
}

function addSegments(queries: Queries, key: QueryKey, segments: readonly Segment[]): void {
  if (segments.length > 0) queries.setQueryData<Segment[]>(key, (before = []) => merged(before, segments))
}
