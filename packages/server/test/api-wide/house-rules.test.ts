// The rules of ARCHITECTURE.md and STYLE.md that a machine can check.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { entities } from '@parley/contract'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const sourceFolders = ['packages/contract/src', 'packages/server/src']

interface Source {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
}

const sources: Source[] = sourceFolders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => {
      const path = `${folder}/${name}`
      const text = readFileSync(join(root, path), 'utf8')
      return { path, text, lines: text.split('\n') }
    }),
)

/** What breaks a rule, as `file: why`, so that a failing test says where to look. */
const offenders = (find: (source: Source) => string[]): string[] =>
  sources.flatMap((source) => find(source).map((why) => `${source.path}: ${why}`))

const importsOf = ({ path, text }: Source): string[] =>
  [...text.matchAll(/^(?:import|export)\b[^'"]*?from '(\.[^']+)'/gm)].map(([, to]) =>
    relative(root, resolve(root, dirname(path), to ?? '')),
  )

/** From the ground up. A room imports from the floors below it and from itself, not from its neighbours. */
const floors: readonly (readonly string[])[] = [
  ['database'],
  ['embedded-postgres', 'store'],
  ['config', 'http', 'telephony', 'recordings', 'delivery/transport'],
  ['http/openapi', 'delivery/attempt', 'resources/generic'],
  [
    'http/docs',
    'http/web',
    'delivery/queue',
    'resources/people',
    'resources/events',
    'resources/account',
    'resources/calendar',
    'resources/sign-in',
  ],
  ['delivery/worker', 'resources/messaging', 'resources/work', 'maintenance'],
  ['resources/knowledge', 'resources/webhooks'],
  ['resources/drafts'],
  ['resources/calls'],
  ['resources/sandbox', 'resources/overview'],
  ['resources'],
  ['server'],
  ['program'],
  [''],
]
/** The gate is part of HTTP: what it lets in is what endpoints are told of. */
const roomOf = (path: string): string =>
  dirname(relative('packages/server/src', path))
    .replace(/^\.$/, '')
    .replace(/^http\/gate$/, 'http')
const floorOf = (room: string): number => floors.findIndex((rooms) => rooms.includes(room))

test('every file is in a room, and imports go down', () => {
  const served = sources.filter(({ path }) => path.startsWith('packages/server/src/'))
  expect(served.map(({ path }) => roomOf(path)).filter((room) => floorOf(room) < 0)).toEqual([])
  const upward = offenders((source) =>
    importsOf(source)
      .filter(
        (to) =>
          to.startsWith('packages/server/src/') &&
          roomOf(to) !== roomOf(source.path) &&
          floorOf(roomOf(to)) >= floorOf(roomOf(source.path)),
      )
      .map((to) => `imports ${to}`),
  )
  expect(upward).toEqual([])
})

test('no folder holds more than 30 files', () => {
  const folders = readdirSync(join(root, 'packages'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/node_modules|dist/.test(name))
    .map((name) => dirname(name))
  const crowded = [...new Set(folders)].filter((folder) => folders.filter((one) => one === folder).length > 30)
  expect(crowded).toEqual([])
})

test('the contract depends on typebox alone', () => {
  const outside = offenders(({ path, text }) =>
    path.startsWith('packages/contract/')
      ? [...text.matchAll(/from '([^.'][^']*)'/g)]
          .map(([, name]) => name ?? '')
          .filter((name) => !/^typebox(\/|$)/.test(name))
      : [],
  )
  expect(outside).toEqual([])
})

test('only the settings read the environment', () => {
  expect(
    offenders(({ path, text }) => (path.endsWith('config/config.ts') ? [] : (text.match(/process\.env\b/g) ?? []))),
  ).toEqual([])
})

test('a URL is read by readUrl: URL.canParse of Node 20 is wrong about other letters once it is hot', () => {
  expect(
    offenders(({ path, text }) => (path.endsWith('store/url.ts') ? [] : (text.match(/URL\.canParse\(/g) ?? []))),
  ).toEqual([])
})

test('shared code names no entity', () => {
  const shared = /packages\/server\/src\/(database|store|http)\/|resources\/generic\//
  const slugs = entities.map(({ slug }) => slug).filter((slug) => slug.includes('-'))
  const named = offenders(({ path, text }) =>
    shared.test(path) ? slugs.filter((slug) => text.includes(`'${slug}'`) || text.includes(`/${slug}`)) : [],
  )
  expect(named).toEqual([])
})

test('files hold one noun: at most 300 lines, and they open by saying what they are for', () => {
  expect(offenders(({ lines }) => (lines.length > 301 ? [`${lines.length} lines`] : []))).toEqual([])
  expect(offenders(({ text }) => (/^(#!.*\n)?\/[/*]/.test(text) ? [] : ['no opening comment']))).toEqual([])
})

test('functions hold one idea: at most 70 lines', () => {
  expect(offenders(longFunctions)).toEqual([])
})

/** Functions begin at a line such as `export async function name(` and end at the first `}` of the same indentation. */
function longFunctions({ lines }: Source): string[] {
  return lines.flatMap((line, start) => {
    const match = /^(\s*)(?:export )?(?:async )?function (\w+)/.exec(line)
    if (match === null) return []
    const end = lines.findIndex((other, index) => index > start && other === `${match[1]}}`)
    return end - start > 70 ? [`${match[2]} has ${end - start} lines`] : []
  })
}

test('names say what a thing is', () => {
  expect(
    offenders(({ path }) => (/\/(utils?|helpers?|common|managers?|types|misc)\b/.test(path) ? ['vague name'] : [])),
  ).toEqual([])
  expect(offenders(({ path }) => (/[A-Z_]/.test(path.split('/').pop() ?? '') ? ['not kebab-case'] : []))).toEqual([])
})

test('no default exports, no any, nothing left to do', () => {
  expect(offenders(({ text }) => text.match(/^export default .*$/gm) ?? [])).toEqual([])
  expect(offenders(({ text }) => text.match(/(: any\b|<any>|as any\b).*$/gm) ?? [])).toEqual([])
  expect(offenders(({ text }) => text.match(/\b(TODO|FIXME|XXX)\b.*$/gm) ?? [])).toEqual([])
})

test('casts are few: at most 6 in 1,000 lines of the server', () => {
  const server = sources.filter(({ path }) => path.startsWith('packages/server/src/'))
  const casts = server.flatMap(
    ({ text }) => text.match(/\bas (unknown|[A-Z][A-Za-z]*|Record|readonly|string|number|never)\b/g) ?? [],
  )
  const lines = server.reduce((sum, source) => sum + source.lines.length, 0)
  expect((casts.length / lines) * 1_000).toBeLessThanOrEqual(6)
})

test('lock file and settings name no registry', () => {
  const files = ['package-lock.json', '.npmrc', 'package.json']
  const named = files.filter((file) => /registry\.|"resolved": "http/.test(readFileSync(join(root, file), 'utf8')))
  expect(named).toEqual([])
})

test('no package reports about its users, and every install script is declared', () => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    allowScripts: Record<string, boolean>
  }
  const nameOf = (path: string) => path.replace(/^.*node_modules\//, '')
  expect(Object.keys(packages).filter((path) => /@scarf\/|swagger-ui-dist/.test(path))).toEqual([])
  const scripted = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => nameOf(path))
  expect(scripted.toSorted()).toEqual(Object.keys(allowScripts).toSorted())
})
