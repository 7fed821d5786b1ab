// The rules of the cockpit that a machine can check.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../src', import.meta.url))
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

const offenders = (find: RegExp, isAllowed: (path: string) => boolean = () => false) =>
  sources.flatMap(({ path, text }) =>
    isAllowed(path) ? [] : [...text.matchAll(find)].map(([hit]) => `${path}: ${hit}`),
  )

test('no component is longer than 200 lines, and each file opens by saying what it is for', () => {
  expect(
    sources.filter(({ path, text }) => path.endsWith('.tsx') && text.split('\n').length > 201).map(({ path }) => path),
  ).toEqual([])
  expect(sources.filter(({ text }) => text.split('\n').length > 301).map(({ path }) => path)).toEqual([])
  expect(sources.filter(({ text }) => !text.startsWith('// ')).map(({ path }) => path)).toEqual([])
})

test('what users write stays text: no HTML is set, no code is made', () => {
  expect(offenders(/dangerouslySetInnerHTML|innerHTML|outerHTML|document\.write|\beval\(|new Function/g)).toEqual([])
})

test('the browser keeps the theme and the last place, nothing else', () => {
  const keepers = ['frame/theme.ts', 'frame/entrance.tsx']
  expect(
    offenders(/localStorage|sessionStorage|indexedDB|document\.cookie/g, (path) => keepers.includes(path)),
  ).toEqual([])
})

test('screens do not know each other but for the few pieces that are shared', () => {
  const shared = /\.\.\/(people\/(editable-fields|history-list|timeline)|developers\/shown-once)'/
  const across = offenders(/from '\.\.\/[a-z-]+\/[a-z-]+'/g, (path) => !path.startsWith('screens/'))
  expect(across.filter((line) => !shared.test(line))).toEqual([])
})

test('casts are few', () => {
  const lines = sources.reduce((sum, { text }) => sum + text.split('\n').length, 0)
  const casts = offenders(/\bas (unknown|[A-Z][A-Za-z]*|string|number|never)\b/g)
  expect((casts.length / lines) * 1_000).toBeLessThanOrEqual(6)
})

test('words for people stand in the catalogue', () => {
  // Text between tags: two words in a row are a sentence that belongs there.
  const spoken = offenders(/>\s*[A-Z][a-z]+ [a-z]+[^<{]*</g, (path) => path.startsWith('text/'))
  expect(spoken).toEqual([])
  expect(offenders(/(aria-label|placeholder|title)="[A-Z][^"]*"/g)).toEqual([])
})
