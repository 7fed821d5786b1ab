import { expect, test, vi } from 'vitest'
import { noteShared } from './shared-worker.js'

test('what a file leaves changed is named and put back, and nothing else is', () => {
  const restore = noteShared()
  const [setTimer, random, ask] = [setTimeout, Math.random, fetch]
  vi.useFakeTimers()
  Math.random = () => 0
  globalThis.fetch = async () => new Response()
  process.env['LEFT_BEHIND'] = 'yes'
  process.on('SIGHUP', () => {})
  expect(restore()).toEqual([
    'fake timers',
    'globalThis.fetch',
    'Math.random',
    'process.env.LEFT_BEHIND',
    'a listener of the process for SIGHUP',
  ])
  expect([setTimeout, Math.random, fetch]).toEqual([setTimer, random, ask])
  expect([process.env['LEFT_BEHIND'], process.listenerCount('SIGHUP'), vi.isFakeTimers()]).toEqual([
    undefined,
    0,
    false,
  ])
  expect(restore()).toEqual([])
})
