// The search: a dialog over the index that the build made. Every word must be found; what stands in a title counts most.

let dialog
let index
let found = []
let active = 0

/** The index is read once, when somebody first searches; a line that breaks is tried again with the next letter. */
function read(root) {
  index ??= fetch(new URL('docs/search.json', root)).then(async (response) => rowsOf(await response.json(), root))
  index.catch(() => {
    index = undefined
  })
  return index
}

export const rowsOf = ({ kinds, pages, rows }, root) =>
  rows.map(([kind, title, page, id, more, text]) => ({
    kind: kinds[kind],
    title,
    more: more || pages[page][1],
    url: new URL(`docs${pages[page][0] && `/${pages[page][0]}`}${id && `#${encodeURI(id)}`}`, root).href,
    id,
    text,
    // What a field belongs to counts less than its own name.
    inTitle: (kinds[kind] === 'field' ? title : `${title} ${more}`).toLowerCase(),
    inPage: `${kinds[kind] === 'field' ? more : ''} ${pages[page][1]}`.toLowerCase(),
    inText: text.toLowerCase(),
  }))

export async function placeOf(root, id) {
  return (await read(root)).find((row) => row.id === id)?.url
}

export function openSearch(root) {
  dialog ??= makeDialog(root)
  if (dialog.open) return
  dialog.showModal()
  dialog.querySelector('input').select()
  read(root)
}

/** The best first. */
export function search(rows, query, limit = 30) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const whole = words.join(' ')
  return rows
    .map((row) => ({ row, score: scoreOf(row, words, whole) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .filter(fewAlike())
    .slice(0, limit)
    .map(({ row }) => row)
}

/** Many shapes have a field of the same name: a few stand for all. */
function fewAlike(most = 5) {
  const counts = new Map()
  return ({ row: { kind, title } }) => {
    const count = (counts.get(title) ?? 0) + 1
    counts.set(title, count)
    return kind !== 'field' || count <= most
  }
}

const weights = { guide: 1.6, operation: 1.5, error: 1.4, event: 1.4, shape: 1.1, field: 1, decision: 0.6 }

function scoreOf(row, words, whole) {
  let score = 0
  for (const word of words) {
    const one = inTitle(row.inTitle, word) + 3 * begins(row.inPage, word) + Math.min(times(row.inText, word), 6) * 0.7
    if (one === 0) return 0
    score += one
  }
  const title = row.title.toLowerCase()
  if (title === whole) score += row.kind === 'field' ? 3 : 40
  else if (title.startsWith(whole)) score += 12
  return (score * weights[row.kind]) / (1 + title.length / 400)
}

/** A word of the title, the beginning of one, or any part. */
function inTitle(title, word) {
  if (!title.includes(word)) return 0
  return begins(title, word) ? (isWord(title, word) ? 12 : 9) : 4
}

const isEdge = (letter) => letter === undefined || !/[\p{L}\p{N}]/u.test(letter)

function begins(text, word) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) if (isEdge(text[at - 1])) return 1
  return 0
}

function isWord(text, word) {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (isEdge(text[at - 1]) && isEdge(text[at + word.length])) return true
  return false
}

function times(text, word) {
  let count = 0
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    if (isEdge(text[at - 1])) count++
  return count
}

function makeDialog(root) {
  const made = document.createElement('dialog')
  made.className = 'search'
  made.setAttribute('aria-label', 'Search the documentation')
  made.innerHTML = `<input type="text" role="combobox" aria-label="Search the documentation" aria-expanded="false"
    aria-controls="found" aria-autocomplete="list" autocomplete="off" spellcheck="false"
    placeholder="Operations, fields, errors, events, guides">
    <div id="found" role="listbox" aria-label="Results"></div><p class="quiet" role="status"></p>`
  document.body.append(made)
  const input = made.querySelector('input')
  input.addEventListener('input', () => show(root, made, input))
  input.addEventListener('keydown', (event) => onKey(event, made, input))
  made.addEventListener('click', ({ target }) => {
    if (target === made) made.close()
    // A link to a place of this page loads nothing: the dialog would stay.
    else if (target.closest('a')) made.close()
  })
  return made
}

async function show(root, made, input) {
  const query = input.value
  const rows = await read(root).catch(() => undefined)
  if (query !== input.value) return
  found = rows ? search(rows, query) : []
  active = 0
  const list = made.querySelector('[role=listbox]')
  list.replaceChildren(...found.map(option))
  input.setAttribute('aria-expanded', String(found.length > 0))
  made.querySelector('[role=status]').textContent = rows ? summary(query, found.length) : 'The service does not answer.'
  mark(made, input)
}

function summary(query, count) {
  if (query.trim() === '') return ''
  return count === 0 ? 'Nothing matches.' : `${count === 30 ? 'The best 30' : count} found`
}

function option({ kind, title, more, text, url }, at) {
  const link = document.createElement('a')
  link.href = url
  link.id = `found-${at}`
  link.tabIndex = -1
  link.setAttribute('role', 'option')
  const parts = { kind, title, more, text: text.slice(0, 140) }
  for (const [name, words] of Object.entries(parts)) {
    const part = document.createElement('span')
    part.className = name
    part.textContent = words
    link.append(part, ' ')
  }
  return link
}

function onKey(event, made, input) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step !== undefined && found.length > 0) {
    event.preventDefault()
    active = (active + step + found.length) % found.length
    mark(made, input)
  }
  if (event.key === 'Enter' && found[active]) made.querySelector(`#found-${active}`).click()
}

function mark(made, input) {
  for (const [at, link] of [...made.querySelectorAll('[role=option]')].entries()) {
    link.setAttribute('aria-selected', String(at === active))
    if (at === active) link.scrollIntoView({ block: 'nearest' })
  }
  if (found.length > 0) input.setAttribute('aria-activedescendant', `found-${active}`)
  else input.removeAttribute('aria-activedescendant')
}
