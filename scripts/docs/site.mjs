// The whole site in memory: every file by its path, made from the Markdown of the repository and the OpenAPI document.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { apiHtml } from './api-html.mjs'
import { apiMarkdown } from './api-markdown.mjs'
import { markdownPages } from './contents.mjs'
import { homePage } from './home.mjs'
import { layout } from './layout.mjs'
import { MISSING, markdownOf } from './links.mjs'
import { llmsText } from './llms.mjs'
import { renderMarkdown } from './markdown-pages.mjs'
import { readReference, SHARED_PAGE } from './openapi.mjs'
import { searchIndex } from './search-index.mjs'
import { designTokens } from './tokens.mjs'

/** A map from the path of a file to its content. */
export function makeSite(root) {
  const reference = readReference(join(root, 'docs/reference/openapi.json'))
  const written = markdownPages(root)
  const places = new Map(written.map(({ file, path }) => [file, path]))
  for (const [file, path] of [
    ['README.md', ''],
    ['docs/guides', ''],
    ['docs/reference', ''],
    ['docs/reference/openapi.json', ''],
  ])
    places.set(file, path)
  const assets = attachments(root)
  const operations = new Map(reference.operations.map((one) => [`${one.method} ${one.path}`, one]))
  const guides = written.map((page) => ({
    ...page,
    kind: 'text',
    ...renderMarkdown(page, readFileSync(join(root, page.file), 'utf8'), { places, assets, operations }),
  }))
  const api = apiPages(reference)
  const pages = inOrder(guides, api)
  const home = homePage(pages, reference)
  const site = { pages: [home, ...pages], groups: groupsOf(home, pages), assets: '' }
  const files = new Map([...assets].map(([file, to]) => [to, readFileSync(join(root, file))]))
  const parts = browserParts(root)
  site.assets = `assets/${createHash('sha256')
    .update([...parts.values()].join('\n'))
    .digest('hex')
    .slice(0, 12)}`
  for (const [name, text] of parts) files.set(`${site.assets}/${name}`, text)
  for (const page of site.pages) {
    files.set(page.path === '' ? 'index.html' : `${page.path}.html`, layout(page, site))
    files.set(markdownOf(page.path), page.markdown)
  }
  files.set(`${MISSING}.html`, layout(missing, site))
  files.set('search.json', JSON.stringify(searchIndex(site.pages, reference)))
  files.set('llms.txt', llmsText(site.groups))
  return files
}

const missing = {
  path: MISSING,
  kind: 'text',
  title: 'There is no such page',
  intro: 'There is no such page.',
  html: '<p>The address may be old or mistyped. Press <kbd>/</kbd> to search, or choose from the contents.</p>',
}

function apiPages(reference) {
  const { tags, homes, schemas, components } = reference
  const shapesOn = (path) => [...homes].filter(([, home]) => home.page === path && !home.isBody).map(([name]) => name)
  const used = new Set(reference.operations.flatMap(({ parameters }) => parameters.map(({ shared }) => shared)))
  const pages = [
    ...tags.map(({ name, page, description, operations }) => ({
      path: page,
      title: name,
      description,
      operations,
      parameters: [],
    })),
    {
      path: SHARED_PAGE,
      title: 'Shared shapes',
      description:
        'What several parts of the API have in common: parameters of many operations, and shapes that appear in more than one place.',
      operations: [],
      parameters: Object.entries(components.parameters).filter(([name]) => used.has(name)),
    },
  ]
  return pages.map((page) => {
    const whole = {
      ...page,
      kind: 'api',
      group: 'API',
      shapes: shapesOn(page.path),
      intro: page.description || page.operations.map(({ summary }) => `${summary}.`).join(' '),
    }
    return { ...whole, html: apiHtml(whole, { homes, schemas }), markdown: apiMarkdown(whole, { homes, schemas }) }
  })
}

/** Guides, then the reference with the API, then the rest. */
function inOrder(guides, api) {
  const isLater = ({ group }) => ['Decisions', 'About'].includes(group)
  const isReference = ({ group }) => group === 'Reference'
  return [
    ...guides.filter((one) => !isLater(one) && !isReference(one)),
    ...guides.filter(isReference),
    ...api,
    ...guides.filter(isLater),
  ]
}

function groupsOf(home, pages) {
  const names = [...new Set(pages.map(({ group }) => group))]
  return [
    { name: 'Parley', pages: [home] },
    ...names.map((name) => ({ name, pages: pages.filter(({ group }) => group === name) })),
  ]
}

/** Files that pages link to: samples, verifiers, pictures. From the path in the repository to the one on the site. */
function attachments(root) {
  const texts = ['docs/guides', 'docs/reference'].flatMap((folder) => markdownIn(root, folder)).join('\n')
  const linked = [...texts.matchAll(/\]\(\.\.\/(pictures\/[^)]+)\)/g)].map(([, name]) => [`docs/${name}`, name])
  const samples = filesIn(root, 'docs/guides/samples').map((file) => [file, file.replace('docs/', '')])
  return new Map([...linked, ...samples])
}

const markdownIn = (root, folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'))
const filesIn = (root, folder) =>
  readdirSync(join(root, folder))
    .map((name) => `${folder}/${name}`)
    .filter((file) => statSync(join(root, file)).isFile())

/** In the order in which they say otherwise. */
const styles = ['frame', 'text', 'reference', 'try-it', 'widths']

/** What pages load: the scripts as they are, the styles as one sheet under the cockpit's tokens. */
function browserParts(root) {
  const read = (name) => readFileSync(join(root, name), 'utf8')
  const folder = 'scripts/docs/browser'
  const scripts = readdirSync(join(root, folder)).filter((name) => name.endsWith('.js'))
  const tokens = designTokens(read('packages/cockpit/src/styles.css'))
  return new Map([
    ...scripts.sort().map((name) => [name, read(`${folder}/${name}`)]),
    ['docs.css', [tokens, ...styles.map((name) => read(`${folder}/${name}.css`))].join('\n')],
    ['icon.svg', read('packages/cockpit/public/favicon.svg')],
  ])
}
