// A recording as it sounds: its loudness drawn, and a player that every browser knows.
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { text } from '../../text'

const BARS = 96

/** How loud each part is, from 0 to 1. */
async function loudness(url: string, signal: AbortSignal): Promise<number[]> {
  const bytes = await (await fetch(url, { signal })).arrayBuffer()
  const context = new AudioContext()
  const audio = await context.decodeAudioData(bytes).finally(() => context.close())
  const samples = audio.getChannelData(0)
  const size = Math.max(1, Math.floor(samples.length / BARS))
  const peaks = Array.from({ length: BARS }, (_, bar) =>
    samples.subarray(bar * size, (bar + 1) * size).reduce((peak, value) => Math.max(peak, Math.abs(value)), 0),
  )
  const loudest = Math.max(...peaks, 0.01)
  return peaks.map((peak) => peak / loudest)
}

export function Waveform({ url, onPlay }: { url: string; onPlay: () => void }) {
  const player = useRef<HTMLAudioElement>(null)
  const [heard, setHeard] = useState(0)
  const { data: bars = [] } = useQuery({
    queryKey: ['loudness', url],
    queryFn: ({ signal }) => loudness(url, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const onTime = () => {
    const { currentTime = 0, duration = 0 } = player.current ?? {}
    setHeard(duration > 0 ? currentTime / duration : 0)
  }
  return (
    <div className="grid gap-2">
      <svg viewBox={`0 0 ${BARS * 4} 48`} preserveAspectRatio="none" className="h-14 w-full" aria-hidden>
        {bars.map((level, bar) => (
          <rect
            key={bar}
            x={bar * 4}
            y={24 - Math.max(1, level * 22)}
            width={2.4}
            height={Math.max(2, level * 44)}
            rx={1.2}
            className={bar / BARS < heard ? 'fill-accent' : 'fill-line-strong'}
          />
        ))}
      </svg>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- its words stand below. */}
      <audio
        ref={player}
        controls
        src={url}
        onPlay={onPlay}
        onTimeUpdate={onTime}
        aria-label={text.inbox.player}
        className="h-10 w-full"
      />
    </div>
  )
}
