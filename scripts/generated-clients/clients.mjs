// The generators that are tried, each with what it must manage.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { generatorJar, goTool, guzzleFor, needs, npmTools, pythonTools, root, run, Skipped } from './tools.mjs'

const own = join(root, 'scripts/generated-clients')
const compiler = join(root, 'node_modules/typescript/bin/tsc')

export const clients = [
  { name: 'openapi-typescript', check: openapiTypescript },
  { name: 'hey-api', check: heyApi },
  { name: 'openapi-python-client', check: openapiPythonClient },
  { name: 'oapi-codegen', check: oapiCodegen },
  ...['typescript-fetch', 'python', 'go', 'php', 'csharp'].map((language) => ({
    name: `openapi-generator-${language}`,
    check: (given) => openapiGenerator(language, given),
  })),
]

async function openapiTypescript({ folder, documents, parley }) {
  const tools = await npmTools('openapi-typescript', [
    'openapi-typescript@7.13.0',
    'openapi-fetch@0.17.0',
    'typescript@5.9.3',
  ])
  const output = await run(join(tools, 'node_modules/.bin/openapi-typescript'), [
    documents.newest,
    '-o',
    join(folder, 'generated.ts'),
  ])
  noWarning(output)
  await typescriptStory('openapi-typescript', folder, tools, parley)
  return 'generated, compiled, story passed'
}

async function heyApi({ folder, documents, parley }) {
  const tools = await npmTools('hey-api', ['@hey-api/openapi-ts@0.99.0', 'typescript@5.9.3'])
  const options = ['-i', documents.newest, '-o', join(folder, 'generated'), '-c', '@hey-api/client-fetch']
  noWarning(await run(join(tools, 'node_modules/.bin/openapi-ts'), options))
  await typescriptStory('hey-api', folder, tools, parley)
  return 'generated, compiled, story passed'
}

/** Types are checked as strictly as people do; then the story runs as one file. */
async function typescriptStory(name, folder, tools, { env }) {
  for (const file of ['story.ts', `${name}.ts`]) cpSync(join(own, file), join(folder, file))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext']
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { paths: { '*': [join(tools, 'node_modules/*')] } }, files: [`${name}.ts`] }),
  )
  await run(process.execPath, [compiler, '-p', folder, ...options, '--moduleResolution', 'bundler', ...types])
  const outfile = join(folder, 'story.mjs')
  const nodePaths = [join(tools, 'node_modules')]
  await build({
    entryPoints: [join(folder, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    nodePaths,
  })
  await run(process.execPath, [outfile], { env: { ...env, NODE_EXTRA_CA_CERTS: env.INBOX_CA } })
}

async function openapiPythonClient({ folder, documents, parley }) {
  const tools = await pythonTools('openapi-python-client', ['openapi-python-client==0.29.1'])
  const config = join(folder, 'config.json')
  // It knows audio under no other name; the download of a recording answers with it.
  const overrides = { 'audio/*': 'application/octet-stream' }
  writeFileSync(
    config,
    JSON.stringify({ package_name_override: 'parley_api_client', content_type_overrides: overrides }),
  )
  const output = join(folder, 'client')
  const env = { PATH: `${join(tools, 'bin')}:${process.env.PATH}` }
  const args = ['generate', '--path', documents.newest, '--config', config, '--output-path', output]
  noWarning(await run(join(tools, 'bin/openapi-python-client'), args, { env }))
  const python = join(tools, 'bin/python')
  await run(python, ['-m', 'compileall', '-q', output])
  await run(python, [join(own, 'story.py')], { env: { ...parley.env, PYTHONPATH: output } })
  return 'generated, compiled, story passed'
}

async function oapiCodegen({ folder, documents }) {
  const tool = await goTool('oapi-codegen', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.1')
  const options = ['-generate', 'types,client', '-package', 'parley', '-o', join(folder, 'parley.go')]
  noWarning(await run(tool, [...options, documents.older]))
  await goBuild(folder)
  return 'generated from 3.0, compiled'
}

async function goBuild(folder) {
  if (!readdirSync(folder).includes('go.mod')) await run('go', ['mod', 'init', 'parley'], { cwd: folder })
  await run('go', ['mod', 'tidy'], { cwd: folder }).catch((error) => {
    throw new Skipped(`generated, but what it imports could not be had: ${error.message.slice(-300)}`)
  })
  await run('go', ['build', './...'], { cwd: folder, minutes: 10 })
}

async function openapiGenerator(language, { folder, documents, parley }) {
  const jar = await generatorJar()
  const output = join(folder, 'client')
  mkdirSync(output)
  const args = ['-jar', jar, 'generate', '-g', language, '-i', documents.older, '-o', output]
  noWarning(await run('java', [...args, ...clientsOnly, ...(languageOptions[language] ?? [])], { minutes: 10 }))
  return `generated from 3.0, ${await compiled[language](output, parley)}`
}

/** Neither its own documentation of the client nor its empty tests. */
const clientsOnly = ['--global-property', 'apiDocs=false,modelDocs=false,apiTests=false,modelTests=false']

const languageOptions = {
  go: ['--git-host', 'local', '--git-user-id', 'parley', '--git-repo-id', 'client', '-p', 'packageName=parley'],
}

const compiled = {
  async 'typescript-fetch'(folder) {
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext']
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ files: ['index.ts'] }))
    await run(process.execPath, [
      compiler,
      '-p',
      folder,
      ...options,
      '--moduleResolution',
      'bundler',
      '--lib',
      'es2022,dom',
    ])
    return 'compiled'
  },
  async python(folder) {
    await run('python3', ['-m', 'compileall', '-q', folder])
    return 'compiled'
  },
  async go(folder, { env }) {
    needs('go')
    mkdirSync(join(folder, 'story'))
    cpSync(join(own, 'story.go'), join(folder, 'story/main.go'))
    await goBuild(folder)
    await run('go', ['run', './story'], { cwd: folder, env, minutes: 10 })
    return 'compiled, story passed'
  },
  async php(folder, { env }) {
    needs('php')
    await run('php', [join(own, 'story.php'), folder, await guzzleFor(folder)], { env })
    return 'compiled, story passed'
  },
  csharp: (folder) => ifThere('dotnet', 'dotnet', ['build', '--nologo', '-warnaserror'], folder),
}

async function ifThere(tool, command, args, cwd) {
  try {
    needs(tool)
  } catch {
    return `not compiled: there is no ${tool} here`
  }
  await run(command, args, { cwd, minutes: 10 })
  return 'compiled'
}

/**
 * What a generator says of itself, and not of the document: openapi-generator names its own type for bytes, renames what
 * is a word of the language, writes an empty answer down as any value, and looks for the name of a list that is one of
 * two shapes, which it does not need.
 */
const notOurs = new RegExp(
  [
    'update|deprecat|experimental|telemetry|thanks for using|npm warn|SLF4J|sun\\.misc|JAVA_TOOL_OPTIONS',
    'model name matches existing language type|Failed to get the schema name: null',
    '\\(reserved word\\) cannot be used as|Codegen property is null',
  ].join('|'),
  'i',
)

/** A warning is ours: the document could have been clearer. */
function noWarning(output) {
  const warnings = output
    .split('\n')
    .filter((line) => /warn|unsupported|skipping|could not/i.test(line) && !notOurs.test(line))
  if (warnings.length > 0) throw new Error(`It warns:\n${warnings.slice(0, 20).join('\n')}`)
}
