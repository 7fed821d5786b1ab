// The rules of ARCHITECTURE.md and STYLE.md that a machine can check.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { storedEntities } from '@parley/contract'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const sourceFolders = ['packages/contract/src', 'packages/server/src', 'packages/sdk/src']

interface Source {
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
}

const sources: Source[] = sourceFolders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('generated/'))
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
  ['database', 'telemetry'],
  ['embedded-postgres', 'store/contention', 'queue'],
  ['store'],
  ['object-store'],
  ['config', 'http', 'telephony', 'recordings', 'extraction', 'delivery/transport'],
  ['http/openapi', 'shards', 'delivery/attempt', 'extraction/mentions', 'resources/generic', 'providers', 'backup'],
  [
    'http/web',
    'delivery/queue',
    'extraction/rules',
    'extraction/model',
    'resources/people',
    'resources/events',
    'resources/account',
    'resources/calendar',
    'resources/request-log',
    'resources/imports',
    'resources/sign-in',
  ],
  ['delivery/worker', 'resources/messaging', 'resources/work', 'maintenance', 'mcp'],
  ['resources/knowledge', 'resources/webhooks'],
  ['resources/drafts'],
  ['resources/calls'],
  ['resources/sandbox', 'resources/integrations', 'resources/understanding', 'resources/overview', 'resources/merging'],
  ['resources'],
  ['platform'],
  ['server'],
  ['program'],
  [''],
]
/** The gate is part of HTTP: what it lets in is what endpoints are told of. Each provider has a folder of its own. */
const roomOf = (path: string): string =>
  dirname(relative('packages/server/src', path))
    .replace(/^\.$/, '')
    .replace(/^http\/gate$/, 'http')
    .replace(/^providers\/.*$/, 'providers')
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

test('only the settings read the environment, and the command line', () => {
  expect(
    offenders(({ path, text }) =>
      /config\/config\.ts$|^packages\/sdk\/src\/cli\//.test(path) ? [] : (text.match(/process\.env\b/g) ?? []),
    ),
  ).toEqual([])
})

test('a URL is read by readUrl: URL.canParse of Node 20 is wrong about other letters once it is hot', () => {
  expect(
    offenders(({ path, text }) =>
      /store\/url\.ts$|^packages\/sdk\//.test(path) ? [] : (text.match(/URL\.canParse\(/g) ?? []),
    ),
  ).toEqual([])
})

/** What knows no entity: in the SDK, what is not about a resource, a command or the client as a whole. */
const shared =
  /packages\/server\/src\/(database|store|http|resources\/generic)\/|packages\/sdk\/src\/(?!resources|cli|client|index)/
/** Names of entities that are words of the trade as well: of errors and streams, a header, an abort, a remark. */
const ordinary = new Set(['message', 'messages', 'Message', 'location', 'Location', 'signal', 'note'])
/** Entities that keep what every record has: its references and its history. */
const ofEveryRecord = new Set(['externalRefs', 'ExternalRef', 'fieldHistoryEntries'])

const camelCase = (name: string): string => name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase())
const pascalCase = (name: string): string => camelCase(`-${name}`)
const entityNames = new Set(
  storedEntities.flatMap(({ slug, name, table }) => [
    slug,
    name,
    table,
    ...[slug, name].flatMap((one) => [camelCase(one), pascalCase(one)]),
    `${name}_id`,
    `${camelCase(name)}Id`,
  ]),
)

/** The words of a source, comments aside: identifiers, and what stands in strings and SQL. */
const wordsOf = ({ text }: Source): string[] =>
  text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\bredis\.call\b/gm, '').match(/[A-Za-z_][\w-]*/g) ?? []

test('shared code names no entity', () => {
  const named = offenders((source) =>
    shared.test(source.path)
      ? wordsOf(source).filter((word) => entityNames.has(word) && !ordinary.has(word) && !ofEveryRecord.has(word))
      : [],
  )
  expect(named).toEqual([])
})

test('lines are at most 120 characters wide, but for a pattern, which cannot be broken', () => {
  const isPattern = (line: string) => /^\s*\/[^/*]/.test(line)
  expect(
    offenders(({ lines }) =>
      lines.flatMap((line, at) => ([...line].length > 120 && !isPattern(line) ? [`line ${at + 1}`] : [])),
    ),
  ).toEqual([])
})

test('files hold one noun: at most 300 lines, and they open by saying what they are for', () => {
  expect(offenders(({ lines }) => (lines.length > 301 ? [`${lines.length} lines`] : []))).toEqual([])
  expect(offenders(({ text }) => (/^(#!.*\n)?\/[/*]/.test(text) ? [] : ['no opening comment']))).toEqual([])
})

test('functions hold one idea: at most 70 lines', () => {
  expect(offenders(longFunctions)).toEqual([])
})

/**
 * Declarations, arrows and methods: the body begins at a line that ends in `) {`, `): Type {`, `=> {` or `=> ({`, and
 * ends at the first `}` of the same indentation.
 */
function longFunctions({ lines }: Source): string[] {
  return lines.flatMap((line, start) => {
    const [, indent] = /^(\s*)\S.*(?:\)(?:: .+)? \{|=> \(?\{)$/.exec(line) ?? []
    if (indent === undefined || /^\s*(?:\} )?(?:if|for|while|switch|catch|else)\b/.test(line)) return []
    const end = lines.findIndex((other, index) => index > start && other.startsWith(`${indent}}`))
    return end - start > 70 ? [`${line.trim()} has ${end - start} lines`] : []
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
