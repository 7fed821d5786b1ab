// A CycloneDX bill of materials of some workspaces, read from the lock. `npm sbom` leaves out what the root lists among
// its development tools as well, such as fastify and pg, and names the product after its folder.
import { createHash } from 'node:crypto'

/**
 * `kinds` says which lists of the workspaces count; of everything else what it needs to run. `tools` made it and are not
 * in it.
 */
export function billOfMaterials(lock, { name, version, workspaces, kinds = RUNTIME, tools = [] }) {
  const found = new Map()
  const edges = new Map()
  const follow = (path, lists) => {
    const entry = lock.packages[path]
    const needed = lists.flatMap((list) => Object.keys(entry[list] ?? {})).filter((one) => !tools.includes(one))
    const paths = needed.map((one) => placeOf(lock, path, one)).filter((place) => place !== undefined)
    edges.set(path, [...new Set(paths)].sort())
    for (const place of paths) visit(place)
  }
  const visit = (path) => {
    if (found.has(path)) return
    found.set(path, lock.packages[path])
    follow(path, RUNTIME)
  }
  for (const path of workspaces) {
    found.set(path, lock.packages[path])
    follow(path, kinds)
  }
  return documentOf({ name, version, workspaces }, new Map([...found].sort()), edges)
}

const RUNTIME = ['dependencies', 'optionalDependencies']

/** Where Node finds a package from here; undefined for an optional one that the lock does not have. */
function placeOf(lock, from, name) {
  const places = foldersUp(from).map((folder) => `${folder === '' ? '' : `${folder}/`}node_modules/${name}`)
  const place = places.find((one) => lock.packages[one] !== undefined)
  return lock.packages[place]?.link ? lock.packages[place].resolved : place
}

/** The folder itself, and those above it that may have packages of their own. */
function foldersUp(path) {
  if (path === '') return ['']
  const end = path.lastIndexOf('/node_modules/')
  return [path, ...foldersUp(end === -1 ? '' : path.slice(0, end))]
}

function documentOf({ name, version, workspaces }, found, edges) {
  const refs = new Map([...found].map(([path, entry]) => [path, refOf(path, entry)]))
  const root = `pkg:generic/${name}@${version}`
  const dependencies = [...edges].map(([path, needed]) => ({
    ref: refs.get(path),
    dependsOn: [...new Set(needed.map((one) => refs.get(one)))],
  }))
  const components = [...found].map(([path, entry]) => componentOf(path, entry))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(components))}`,
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': root, name, version, purl: root } },
    components: unique(components, 'bom-ref'),
    dependencies: unique([{ ref: root, dependsOn: workspaces.map((path) => refs.get(path)) }, ...dependencies], 'ref'),
  }
}

const nameOf = (path, entry) => entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const refOf = (path, entry) => `pkg:npm/${nameOf(path, entry).replace('@', '%40')}@${entry.version}`

function componentOf(path, entry) {
  const [algorithm, digest] = entry.integrity?.split('-') ?? []
  return {
    type: 'library',
    'bom-ref': refOf(path, entry),
    name: nameOf(path, entry),
    version: entry.version,
    purl: refOf(path, entry),
    ...(entry.license ? { licenses: [licenseOf(entry.license)] } : {}),
    ...(algorithm === 'sha512'
      ? { hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }] }
      : {}),
  }
}

const licenseOf = (text) => (/[ ()]/.test(text) ? { expression: text } : { license: { id: text } })

const unique = (list, key) => [...new Map(list.map((one) => [one[key], one])).values()]

/** The same materials have the same number, so that a build can be repeated. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
