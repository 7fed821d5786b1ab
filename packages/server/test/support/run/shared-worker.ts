// Files share a worker, so what one of them leaves changed there is met by the next: timers that never fire, another
// clock, another fetch. This notes what is shared, and afterwards puts it back and says what was changed.
import type { EventEmitter } from 'node:events'
import { vi } from 'vitest'

/** What tests replace, by where it is found. */
const shared: readonly (readonly [string, object, readonly (string | symbol)[]])[] = [
  ['globalThis', globalThis, ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate']],
  ['globalThis', globalThis, ['clearImmediate', 'queueMicrotask', 'Date', 'performance', 'fetch', 'crypto']],
  ['AbortSignal', AbortSignal, ['timeout', 'any', 'abort']],
  ['Date', Date, ['now']],
  ['Math', Math, ['random']],
  ['performance', performance, ['now']],
  ['process', process, ['nextTick', 'kill', 'hrtime']],
  // What `fetch` sends with: any copy of undici that is loaded may put its own there.
  ['globalThis', globalThis, [Symbol.for('undici.globalDispatcher.1')]],
]

/** Whoever listens here keeps the process from dying of what it should die of. */
const processEvents = ['uncaughtException', 'unhandledRejection', 'SIGTERM', 'SIGINT', 'SIGHUP']
const emitter: EventEmitter = process
type Listener = Parameters<EventEmitter['off']>[1]

/** Puts back what has been changed since, and names it. */
export function noteShared(): () => string[] {
  void globalThis.Response // Node puts its own dispatcher there when it loads what is behind fetch.
  const values = shared.flatMap(([place, holder, names]) =>
    names.map((name) => ({ place, holder, name, value: Reflect.get(holder, name) as unknown })),
  )
  const environment = { ...process.env }
  const folder = process.cwd()
  const listeners = processEvents.map((event) => ({ event, known: new Set(emitter.listeners(event)) }))
  return () => {
    const isFake = vi.isFakeTimers()
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.unstubAllEnvs()
    const changed = isFake ? ['fake timers'] : []
    for (const { place, holder, name, value } of values) {
      if (Reflect.get(holder, name) === value) continue
      changed.push(`${place}.${String(name)}`)
      Reflect.set(holder, name, value)
    }
    changed.push(...restoreEnvironment(environment))
    if (process.cwd() !== folder) changed.push('the working folder')
    process.chdir(folder)
    for (const { event, known } of listeners) changed.push(...dropListeners(event, known))
    return changed
  }
}

function restoreEnvironment(before: NodeJS.ProcessEnv): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(process.env)])
  const changed = [...names].filter((name) => process.env[name] !== before[name])
  for (const name of changed) {
    if (before[name] === undefined) delete process.env[name]
    else process.env[name] = before[name]
  }
  return changed.map((name) => `process.env.${name}`)
}

function dropListeners(event: string, known: ReadonlySet<unknown>): string[] {
  const added = emitter.listeners(event).filter((listener): listener is Listener => !known.has(listener))
  for (const listener of added) emitter.off(event, listener)
  return added.length > 0 ? [`a listener of the process for ${event}`] : []
}
