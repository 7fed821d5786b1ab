// A transcript as text: `Speaker: text` lines in both directions, and WebVTT cues.
import { limits } from '@parley/contract'
import { badRequest } from '../../store/api-error.js'
import type { Segment, SentSegment } from './segments.js'

type Speaker = Segment['speaker']

const names: Readonly<Record<Speaker, string>> = {
  agent: 'Agent',
  caller: 'Caller',
  ai: 'AI',
  third_party: 'Third party',
  system: 'System',
}
const speakersByName = new Map(
  Object.entries(names).flatMap(([speaker, name]) =>
    [speaker, name.toLowerCase()].map((one) => [one, speaker as Speaker]),
  ),
)

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** `Caller: the sink is leaking`. */
export const lineOf = ({ speaker, text }: Pick<Segment, 'speaker' | 'text'>): string =>
  `${names[speaker]}: ${inOneLine(text)}`

/** The lines that fit, cut at the end of a segment; null when nothing was said. */
export function linesWithin(
  segments: readonly Pick<Segment, 'speaker' | 'text'>[],
  bytesMax: number,
): { text: string | null; isTruncated: boolean } {
  if (segments.length === 0) return { text: null, isTruncated: false }
  let bytes = 0
  const lines = segments.map(lineOf)
  const over = lines.findIndex((line, index) => (bytes += Buffer.byteLength(line) + (index === 0 ? 0 : 1)) > bytesMax)
  return { text: (over < 0 ? lines : lines.slice(0, over)).join('\n'), isTruncated: over >= 0 }
}

const LINES_MAX = 5_000

/** Cuts a text into segments: a line that names no speaker goes on with the one before. */
export function segmentsOfText(text: string, path: string): SentSegment[] {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  if (lines.length > LINES_MAX)
    throw badRequest(path, `must have at most ${LINES_MAX} lines; send longer ones as segments`, 'size')
  let speaker: Speaker = 'system'
  const pieces = lines.flatMap((line) => {
    const [, name = '', rest = ''] = /^\s*([A-Za-z_ ]{2,20}):\s*(.*)$/s.exec(line) ?? []
    const named = speakersByName.get(name.trim().toLowerCase())
    speaker = named ?? speaker
    return piecesOf(named ? rest : line.trim()).map((piece) => ({ speaker, text: piece }))
  })
  return pieces.map((piece, sequence) => ({ ...piece, sequence, startMs: 0 }))
}

/** Whole characters only, each piece as long as a segment may be. */
function piecesOf(text: string): string[] {
  if (text.length <= limits.segmentLength) return [text]
  const characters = [...text]
  const size = limits.segmentLength / 2
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  )
}

/** How long a cue stays when nobody says when it ends. */
const CUE_MS = 3_000

/** One WebVTT cue. */
export function cueOf({ sequence, speaker, text, startMs, endMs }: Segment): string {
  const said = inOneLine(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const end = clock(Math.max(endMs ?? startMs + CUE_MS, startMs + 1))
  return `${sequence}\n${clock(startMs)} --> ${end}\n<v ${names[speaker]}>${said}\n`
}

function clock(ms: number): string {
  const pad = (value: number, digits = 2) => String(value).padStart(digits, '0')
  const [hours, minutes, seconds] = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1_000) % 60].map(Math.floor)
  return `${pad(hours ?? 0)}:${pad(minutes ?? 0)}:${pad(seconds ?? 0)}.${pad(ms % 1_000, 3)}`
}
