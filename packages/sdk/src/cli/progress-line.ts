// How far a long piece of work has come and when it will be done, in one line that is written over.

export interface Progress {
  readonly done: number
  /** Undefined where nobody knows. */
  readonly total: number | undefined
  /** How many were done before this run. */
  readonly start?: number
  readonly elapsedMs: number
  /** What is counted, such as rows. */
  readonly unit: string
}

const width = 20

export function progressLine({ done, total, start = 0, elapsedMs, unit }: Progress): string {
  const aSecond = (done - start) / Math.max(1, elapsedMs / 1_000)
  const pace = `${done} ${unit}, ${Math.round(aSecond)} a second`
  if (total === undefined || total === 0) return pace
  const part = Math.min(1, done / total)
  const bar = '█'.repeat(Math.round(part * width)).padEnd(width, '░')
  const left = aSecond > 0 ? `, ${durationOf((total - done) / aSecond)} left` : ''
  return `${bar} ${Math.floor(part * 100)} %  ${pace}${left}`
}

/** 45 s, 3 min 20 s, 2 h 5 min. */
export function durationOf(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds))
  if (whole < 60) return `${whole} s`
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor((whole % 3_600) / 60)]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${whole % 60} s`
}
