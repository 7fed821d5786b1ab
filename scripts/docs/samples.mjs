// One request in several languages, made from the examples of the document.
import { pythonCall } from './python-calls.mjs'
import { sdkCall } from './sdk-calls.mjs'

/** The address that samples show; the page puts its own in its place. */
export const SAMPLE_ORIGIN = 'http://127.0.0.1:3000'

/** `{language, title, code}` in the order of the tabs. */
export function samplesOf(operation) {
  const request = requestOf(operation)
  return [
    { language: 'sh', title: 'curl', code: curl(request) },
    { language: 'ts', title: 'TypeScript', code: typescript(operation, request) },
    { language: 'python', title: 'Python', code: python(operation, request) },
    { language: 'go', title: 'Go', code: go(request) },
    { language: 'php', title: 'PHP', code: php(request) },
  ].filter(({ code }) => code !== undefined)
}

/** With the examples of what must be given. */
export function requestOf({ method, path, parameters, body, takes }) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(exampleOf(parameters, name)))
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name }) => [name, [exampleOf(parameters, name)].flat().join(',')])
  return {
    method,
    path: filled,
    query: Object.fromEntries(query),
    url: `${SAMPLE_ORIGIN}/api/v1${filled}${query.length > 0 ? `?${new URLSearchParams(query)}` : ''}`,
    takes,
    isRepeatable: parameters.some(({ name }) => name === 'Idempotency-Key'),
    json: body?.type === 'application/json' ? (body.example ?? {}) : undefined,
    isFile: body !== undefined && body.type !== 'application/json',
  }
}

function exampleOf(parameters, name) {
  const { example, schema = {} } = parameters.find((one) => one.name === name) ?? {}
  return example ?? schema.examples?.[0] ?? schema.enum?.[0] ?? schema.items?.enum?.[0] ?? name
}

/** Headers as pairs, with what each language puts for the key and for a new id. */
const headersOf = ({ takes, isRepeatable, json, isFile }, { key, uuid, session }) => [
  ...(takes.key ? [['Authorization', key]] : takes.session ? [['Cookie', session]] : []),
  ...(isRepeatable ? [['Idempotency-Key', uuid]] : []),
  ...(json ? [['Content-Type', 'application/json']] : isFile ? [['Content-Type', 'audio/wav']] : []),
]

const pretty = (json) => JSON.stringify(json, null, 2)
const indented = (text, spaces) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`)

function curl(request) {
  const { method, url, json, isFile } = request
  const headers = headersOf(request, {
    key: 'Bearer $PARLEY_API_KEY',
    session: '__session=$SESSION',
    uuid: '$(uuidgen)',
  }).map(([name, value]) => `-H "${name}: ${value}"`)
  const data = json ? [`-d '${pretty(json).replaceAll("'", "'\\''")}'`] : isFile ? ['--data-binary @recording.wav'] : []
  const isPlain = method === 'GET' || (method === 'POST' && (json || isFile))
  return [`curl ${isPlain ? '' : `-X ${method} `}"${url}"`, ...headers, ...data].join(' \\\n  ')
}

function typescript(operation, request) {
  const call = sdkCall(operation, request)
  if (call === undefined) return undefined
  return [
    `import { Parley } from '@parley/sdk'`,
    '',
    `const parley = new Parley({ baseUrl: '${SAMPLE_ORIGIN}', apiKey: process.env.PARLEY_API_KEY })`,
    call,
  ].join('\n')
}

function python(operation, request) {
  if (!operation.takes.key && !operation.path.startsWith('/openapi')) return pythonRequest(request)
  return [
    'import os',
    '',
    'from parley import Parley',
    '',
    `parley = Parley(base_url="${SAMPLE_ORIGIN}", api_key=os.environ["PARLEY_API_KEY"])`,
    pythonCall(operation, request, pythonOf),
  ].join('\n')
}

/** Not for the client: addresses that need no key, and those of a browser's session. */
function pythonRequest(request) {
  const { method, url, json, isFile } = request
  const headers = headersOf(request, {
    key: `f"Bearer {os.environ['PARLEY_API_KEY']}"`,
    session: `f"__session={os.environ['SESSION']}"`,
    uuid: 'str(uuid.uuid4())',
  }).filter(([, value]) => value !== 'application/json')
  const shown = headers.map(([name, value]) => `"${name}": ${/^(f"|str\()/.test(value) ? value : `"${value}"`}`)
  const isGuarded = request.takes.key || request.takes.session
  return [
    ...(isGuarded ? ['import os'] : []),
    ...(request.isRepeatable ? ['import uuid'] : []),
    ...(isGuarded || request.isRepeatable ? [''] : []),
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    `    "${url}",`,
    ...(shown.length > 0 ? [`    headers={${shown.join(', ')}},`] : []),
    ...(json ? [`    json=${indented(pythonOf(json), 4)},`] : isFile ? ['    data=open("recording.wav", "rb"),'] : []),
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    'print(response.text)',
  ].join('\n')
}

/** JSON as Python writes it; strings are left alone. */
const pythonOf = (json) =>
  indented(pretty(json), 0)
    .replace(
      /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
      (found) => ({ true: 'True', false: 'False', null: 'None' })[found] ?? found,
    )
    .replace(/^( +)/gm, '$1$1')

function go(request) {
  const { method, url, json, isFile, takes } = request
  const headers = headersOf(request, {
    key: '"Bearer "+os.Getenv("PARLEY_API_KEY")',
    session: '"__session="+os.Getenv("SESSION")',
    uuid: 'rand.Text()',
  }).map(([name, value]) => `\treq.Header.Set("${name}", ${/[+(]/.test(value) ? value : `"${value}"`})`)
  const imports = ['fmt', 'io', 'net/http']
  if (request.isRepeatable) imports.push('crypto/rand')
  if (takes.key || takes.session || isFile) imports.push('os')
  if (json) imports.push('strings')
  return [
    'package main',
    '',
    'import (',
    ...imports.sort().map((name) => `\t"${name}"`),
    ')',
    '',
    'func main() {',
    ...(json ? [`\tbody := strings.NewReader(${goText(pretty(json))})`] : []),
    ...(isFile ? ['\tbody, err := os.Open("recording.wav")', '\tif err != nil {', '\t\tpanic(err)', '\t}'] : []),
    `\treq, ${isFile ? '_' : 'err'} := http.NewRequest("${method}", "${url}", ${json || isFile ? 'body' : 'nil'})`,
    ...(isFile ? [] : ['\tif err != nil {', '\t\tpanic(err)', '\t}']),
    ...headers,
    '\tres, err := http.DefaultClient.Do(req)',
    '\tif err != nil {',
    '\t\tpanic(err)',
    '\t}',
    '\tdefer res.Body.Close()',
    '\tanswer, _ := io.ReadAll(res.Body)',
    '\tfmt.Println(res.Status, string(answer))',
    '}',
  ].join('\n')
}

const goText = (text) => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``)

function php(request) {
  const { method, url, json, isFile } = request
  const headers = headersOf(request, {
    key: `'Authorization: Bearer ' . getenv('PARLEY_API_KEY')`,
    session: `'Cookie: __session=' . getenv('SESSION')`,
    uuid: `'Idempotency-Key: ' . bin2hex(random_bytes(16))`,
  }).map(([name, value]) => `    ${value.startsWith("'") ? value : `'${name}: ${value}'`},`)
  return [
    '<?php',
    `$request = curl_init('${url}');`,
    'curl_setopt_array($request, [',
    `  CURLOPT_CUSTOMREQUEST => '${method}',`,
    '  CURLOPT_RETURNTRANSFER => true,',
    ...(headers.length > 0 ? ['  CURLOPT_HTTPHEADER => [', ...headers, '  ],'] : []),
    ...(json ? [`  CURLOPT_POSTFIELDS => <<<'JSON'`, indented(`    ${pretty(json)}`, 4), '    JSON,'] : []),
    ...(isFile ? [`  CURLOPT_POSTFIELDS => file_get_contents('recording.wav'),`] : []),
    ']);',
    'echo curl_exec($request);',
  ].join('\n')
}
