// Blocks of a transcript: who speaks, since when, and the words.
import type { Segment } from '@parley/sdk'
import { memo, useLayoutEffect, useRef, useState } from 'react'
import { text } from '../../text'
import { clock } from '../../ui/moment'
import { type Mark, piecesOf } from './fact-marks'
import { pointing, useHighlight } from './highlight'

export interface Block {
  readonly key: string
  readonly speaker: string
  readonly segments: readonly Segment[]
}

interface ChunkProps {
  readonly blocks: readonly Block[]
  readonly marks: ReadonlyMap<number, readonly Mark[]>
  readonly callerName: string
}

/** What is far from sight is a box of the same height. */
export const TranscriptChunk = memo(function TranscriptChunk({ blocks, marks, callerName }: ChunkProps) {
  const { ref, isNear, height } = useNear(blocks.length * BLOCK_PX)
  return (
    <div ref={ref} className="grid gap-5" style={isNear ? undefined : { height }}>
      {isNear &&
        blocks.map((block) => <BlockView key={block.key} block={block} marks={marks} callerName={callerName} />)}
    </div>
  )
})

/** About as high as a block is, until it is known. */
const BLOCK_PX = 88
/** As far as one scrolls before the next frame. */
const NEAR_PX = 1_200

/** Whether something is in sight or close to it, and how high it was when it last was. */
function useNear(guess: number) {
  const ref = useRef<HTMLDivElement>(null)
  const height = useRef(guess)
  const [isNear, setNear] = useState(false)
  useLayoutEffect(() => {
    const box = ref.current
    if (box === null) return
    const root = box.closest('[role=log]')
    const observer = new IntersectionObserver(
      (entries) => {
        // Who jumps passes many boxes between two frames: only where each is by now counts.
        const seen = entries.at(-1)
        if (seen === undefined) return
        if (!seen.isIntersecting && box.childElementCount > 0) height.current = seen.boundingClientRect.height
        setNear(seen.isIntersecting)
      },
      { root, rootMargin: `${NEAR_PX}px 0px` },
    )
    observer.observe(box)
    return () => observer.disconnect()
  }, [])
  return { ref, isNear, height: height.current }
}

function BlockView({ block, marks, callerName }: { block: Block } & Omit<ChunkProps, 'blocks'>) {
  const isCaller = block.speaker === 'caller'
  const name = isCaller ? callerName : (text.speakers[block.speaker] ?? block.speaker)
  return (
    <div className="grid grid-cols-[2.75rem_1fr] gap-x-3">
      <span className="figures pt-0.5 text-end font-mono text-xs text-faint">
        {clock((block.segments[0]?.startMs ?? 0) / 1_000)}
      </span>
      <div className={`border-s-2 ps-3.5 ${isCaller ? 'border-accent' : 'border-line-strong'}`}>
        <div className={`font-semibold ${isCaller ? 'text-accent' : 'text-muted'}`}>{name}</div>
        <p className="text-base text-pretty">
          {block.segments.map((segment) => (
            <Said key={segment.sequence} segment={segment} marks={marks.get(segment.sequence) ?? none} />
          ))}
        </p>
      </div>
    </div>
  )
}

const none: readonly Mark[] = []

/** New words fade in after those that were there. What is not final yet is paler. */
const Said = memo(function Said({ segment, marks }: { segment: Segment; marks: readonly Mark[] }) {
  const before = useRef('')
  const shown = before.current !== '' && segment.text.startsWith(before.current) ? before.current.length : 0
  before.current = segment.text
  const tone = segment.isFinal ? '' : 'text-muted'
  if (marks.length > 0)
    return (
      <span>
        {piecesOf(segment.text, marks).map(({ text: words, mark }, index) =>
          mark ? <Marked key={index} words={words} mark={mark} /> : words,
        )}{' '}
      </span>
    )
  return (
    <span className={tone}>
      {segment.text.slice(0, shown)}
      <span key={segment.text.length} className="appear">
        {segment.text.slice(shown)}
      </span>{' '}
    </span>
  )
})

function Marked({ words, mark }: { words: string; mark: Mark }) {
  const { factId, point } = useHighlight()
  const look = factId === mark.factId ? 'bg-accent-soft text-accent-strong decoration-accent' : 'decoration-accent/50'
  return (
    <mark
      data-fact={mark.factId}
      tabIndex={0}
      title={mark.label}
      {...pointing(point, mark.factId)}
      className={`rounded-sm bg-transparent text-inherit underline decoration-2 underline-offset-4 transition-colors duration-100 ${look}`}
    >
      {words}
    </mark>
  )
}
