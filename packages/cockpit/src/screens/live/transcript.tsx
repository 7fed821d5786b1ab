// What was said, as a conversation: blocks of one speaker, the time in the margin, the words of facts underlined. It
// follows by itself until the reader scrolls up.
import type { Segment } from '@parley/sdk'
import { ArrowDown } from 'lucide-react'
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { type Mark, marksOf, type SurfaceFact } from './fact-marks'
import { type Block, TranscriptChunk } from './transcript-block'

const NEAR_PX = 48
/** Blocks that come and go together as one scrolls. */
const CHUNK = 20
/** Segments of one block: who speaks for long is drawn in parts. */
const BLOCK_MAX = 40
const SEEN_MAX = 1_000

interface TranscriptProps {
  readonly segments: readonly Segment[]
  readonly facts: readonly SurfaceFact[]
  readonly callerName: string
  /** What is over is read from its beginning. */
  readonly isLive: boolean
}

export function Transcript({ segments, facts, callerName, isLive }: TranscriptProps) {
  const chunks = useChunks(segments)
  const marks = useMemo(() => marksOf(segments, facts), [segments, facts])
  const { ref, onScroll, news, follow } = useFollowing(segments, isLive)
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={ref}
        onScroll={onScroll}
        tabIndex={0}
        role="log"
        aria-label={text.live.transcript}
        className="scroll-quiet h-full overflow-auto px-4 py-5 focus-visible:outline-offset-[-2px] sm:px-8"
      >
        <div className="mx-auto grid max-w-3xl gap-5">
          {chunks.map((blocks) => (
            <TranscriptChunk
              key={blocks[0]?.key}
              blocks={blocks}
              marks={marksIn(blocks, marks)}
              callerName={callerName}
            />
          ))}
        </div>
        {segments.length === 0 && <p className="py-16 text-center text-muted">{text.live.silence}</p>}
      </div>
      {news > 0 && (
        <div className="absolute inset-x-0 bottom-4 flex justify-center">
          <Button className="rounded-full shadow-float" icon={<ArrowDown size={14} aria-hidden />} onClick={follow}>
            {text.live.newLines(news)}
          </Button>
        </div>
      )}
    </div>
  )
}

/** The same object while it says the same, so that only chunks with news are drawn again. */
const seen = new Map<string, { text: string; marks: ReadonlyMap<number, Mark[]> }>()
function marksIn(blocks: readonly Block[], all: ReadonlyMap<number, Mark[]>): ReadonlyMap<number, Mark[]> {
  const own = blocks.flatMap(({ segments }) =>
    segments.flatMap(({ sequence }) => {
      const marks = all.get(sequence)
      return marks ? [[sequence, marks] as const] : []
    }),
  )
  const key = blocks[0]?.key ?? ''
  const said = JSON.stringify(own)
  const before = seen.get(key)
  if (before?.text === said) return before.marks
  if (seen.size > SEEN_MAX) seen.clear()
  const marks = new Map(own)
  seen.set(key, { text: said, marks })
  return marks
}

function useChunks(segments: readonly Segment[]): Block[][] {
  const before = useRef<Block[][]>([])
  return useMemo(() => {
    const chunks: Block[][] = []
    let block: { key: string; speaker: string; segments: Segment[] } | undefined
    for (const segment of segments) {
      if (block?.speaker === segment.speaker && block.segments.length < BLOCK_MAX) {
        block.segments.push(segment)
        continue
      }
      block = { key: `${segment.callId} ${segment.sequence}`, speaker: segment.speaker, segments: [segment] }
      const last = chunks.at(-1)
      if (last && last.length < CHUNK) last.push(block)
      else chunks.push([block])
    }
    const kept = chunks.map((chunk, index) => (isSame(chunk, before.current[index]) ? before.current[index] : chunk))
    before.current = kept
    return kept
  }, [segments])
}

function isSame(a: readonly Block[], b: readonly Block[] | undefined): b is Block[] {
  return (
    b !== undefined &&
    a.length === b.length &&
    a.every(
      ({ segments }, index) =>
        segments.length === b[index]?.segments.length && segments.every((one, at) => one === b[index]?.segments[at]),
    )
  )
}

/** Stays at the end while the reader is there; counts what comes while the reader is elsewhere. */
function useFollowing(segments: readonly Segment[], isLive: boolean) {
  const ref = useRef<HTMLDivElement>(null)
  const isFollowing = useRef(isLive)
  const [seenCount, setSeenCount] = useState(isLive ? 0 : segments.length)
  const follow = useCallback(() => {
    isFollowing.current = true
    ref.current?.scrollTo({ top: ref.current.scrollHeight })
    setSeenCount(segments.length)
  }, [segments.length])
  useLayoutEffect(() => {
    if (isFollowing.current) follow()
  }, [segments, follow])
  // Boxes become text as they come near, and are then as high as they are.
  useLayoutEffect(() => {
    const content = ref.current?.firstElementChild
    if (!content) return
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) ref.current?.scrollTo({ top: ref.current.scrollHeight })
    })
    observer.observe(content)
    return () => observer.disconnect()
  }, [])
  const onScroll = () => {
    const box = ref.current
    if (box === null) return
    isFollowing.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_PX
    if (isFollowing.current) setSeenCount(segments.length)
  }
  return { ref, onScroll, follow, news: segments.length - seenCount }
}
