// Markdown pages of the repository as pages of the site: headings get the anchors that GitHub gives them, links lead to
// where things are on the site, and what is only in the repository is named instead of linked.
import { dirname, join, normalize } from 'node:path/posix'
import { Marked } from 'marked'
import { anchor, codeBlock, escape } from './html.mjs'
import { markdownOf, relative } from './links.mjs'

/** As GitHub makes anchors of headings. */
export const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

/** `{title, html, markdown, sections}`; `places` tells page paths by files, and `assets` which other files there are. */
export function renderMarkdown({ path, file }, text, { places, assets, operations }) {
  const source = text.replace(/^<!--.*?-->\s*/s, '')
  const sections = []
  const ids = new Set()
  const where = (href) => placeOf(href, file, places, assets)
  const renderer = {
    heading(token) {
      const plain = plainText(token.tokens)
      const id = unique(anchorOf(plain), ids)
      if (token.depth === 1) return ''
      // Types of events keep their dots, so that a link can be written from the name alone.
      const named = /^\w+\.\w+$/.test(plain) ? `<span id="${plain}"></span>` : ''
      sections.push({ id, title: plain, depth: token.depth })
      return `<h${token.depth} id="${id}">${named}${this.parser.parseInline(token.tokens)} ${anchor(id, plain)}</h${token.depth}>\n`
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens)
      if (/^https?:/.test(href)) return `<a href="${escape(href)}" rel="noreferrer">${inner}</a>`
      const place = where(href)
      return place ? `<a href="${relative(path, place.to, place.id)}">${inner}</a>` : inner
    },
    codespan({ text: code }) {
      // `POST /drafts` and the like lead to the reference.
      const operation = operations.get(/^[A-Z]+ [^\s?]+/.exec(code)?.[0])
      const shown = `<code>${escape(code)}</code>`
      return operation ? `<a href="${relative(path, operation.page, operation.id)}">${shown}</a>` : shown
    },
    image({ href, text: alt }) {
      const place = where(href)
      return place ? `<img src="${relative(path, place.to)}" alt="${escape(alt)}" loading="lazy">` : ''
    },
    code({ text: code, lang = '' }) {
      // Beside each drawing there is a table that says the same.
      return lang === 'mermaid' ? '' : codeBlock(code, lang)
    },
    table(token) {
      const cells = (row, tag) =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('')
      const isNamed = token.header.some(({ text: name }) => name !== '')
      const head = isNamed
        ? `<thead><tr>${cells(token.header, 'th').replaceAll('<th></th>', '<td></td>')}</tr></thead>`
        : ''
      return `<div class="table" tabindex="0"><table>${head}<tbody>${token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table></div>`
    },
  }
  const marked = new Marked({ gfm: true, renderer })
  const tokens = marked.lexer(source)
  const title = plainText(tokens.find(({ type, depth }) => type === 'heading' && depth === 1)?.tokens ?? [])
  const html = marked.parser(tokens)
  return {
    title,
    html,
    markdown: withLinks(source, path, where),
    sections: withTexts(tokens, sections),
    intro: introOf(tokens),
  }
}

/** Where a link leads on the site, or undefined for what is only in the repository. */
function placeOf(href, file, places, assets) {
  const [target = '', id = ''] = href.split('#')
  if (target === '') return { to: places.get(file), id }
  const found = normalize(join(dirname(file), target)).replace(/\/$/, '')
  // The first page has other headings than what it stands for in the repository.
  if (places.has(found)) return { to: places.get(found), id: places.get(found) === '' ? '' : id }
  return assets.has(found) ? { to: assets.get(found), id: '' } : undefined
}

/** The text itself, with links that lead to Markdown again. */
const withLinks = (source, path, where) =>
  source.replace(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, mark, words, href) => {
    if (/^(https?:|#)/.test(href)) return whole
    const place = where(href)
    if (place === undefined) return words
    const isFile = /\.\w+$/.test(place.to) && !place.to.startsWith('decisions/')
    return `${mark}[${words}](${relative(path, isFile ? place.to : markdownOf(place.to), place.id)})`
  })

function unique(id, ids) {
  let name = id
  for (let count = 1; ids.has(name); count++) name = `${id}-${count}`
  ids.add(name)
  return name
}

const plainText = (tokens = []) =>
  tokens.map((token) => (token.tokens ? plainText(token.tokens) : (token.text ?? ''))).join('')

/** What the page says before its first section, for lists of pages. */
function introOf(tokens) {
  const first = tokens.find(({ type }) => type === 'paragraph')
  return first ? plainText(first.tokens).replace(/\s+/g, ' ') : ''
}

/** For the search: what stands under each heading; what stands before the first belongs to the page. */
function withTexts(tokens, sections) {
  const texts = [{ id: '', title: '', depth: 1, text: '' }]
  let next = 0
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth > 1) texts.push({ ...sections[next++], text: '' })
    else if (token.type !== 'heading') texts.at(-1).text += ` ${wordsOf(token)}`
  }
  return texts
}

function wordsOf(token) {
  if (token.type === 'code') return token.lang === 'mermaid' || token.text.length > 1500 ? '' : token.text
  if (token.type === 'table')
    return [token.header, ...token.rows]
      .flat()
      .map(({ tokens }) => plainText(tokens))
      .join(' ')
  if (token.type === 'list') return token.items.map(({ tokens }) => tokens.map(wordsOf).join(' ')).join(' ')
  return token.tokens ? plainText(token.tokens) : token.type === 'html' ? '' : (token.text ?? '')
}
