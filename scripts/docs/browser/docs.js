// What every page can do besides being read: choose a theme and a language, copy code, and open the search and the form
// that tries a request, each loaded when it is first wanted. Without this file all texts are there and all links work.

const $ = (selector, within = document) => within.querySelector(selector)
const $$ = (selector, within = document) => [...within.querySelectorAll(selector)]

const root = new URL(document.documentElement.dataset.root, location.href)

showPage()
addEventListener('hashchange', openTarget)
addEventListener('keydown', openSearchByKey)
document.addEventListener('change', followLanguage)

function showPage() {
  showTheme()
  showSearch()
  showOwnAddress()
  showLanguage(localStorage.getItem('parley language'))
  addCopyButtons()
  offerTryIt()
  openTarget()
  showPlaceInContents()
}

function showPlaceInContents() {
  const [nav, here] = [$('nav'), $('nav [aria-current]')]
  if (here && here.offsetTop > nav.clientHeight * 0.7) nav.scrollTop = here.offsetTop - nav.clientHeight / 3
}

function showTheme() {
  const themes = ['system', 'light', 'dark']
  const button = $('#page-theme')
  const chosen = () => document.documentElement.dataset.theme ?? 'system'
  const say = () => {
    button.innerHTML = `<span>Theme: </span>${chosen()}`
  }
  button.hidden = false
  say()
  button.addEventListener('click', () => {
    const next = themes[(themes.indexOf(chosen()) + 1) % themes.length]
    localStorage.setItem('parley theme', next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    say()
  })
}

async function openSearch() {
  const search = await import('./search.js')
  search.openSearch(root)
}

function showSearch() {
  const button = $('#page-search')
  button.hidden = false
  button.addEventListener('click', openSearch)
}

function openSearchByKey(event) {
  const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable
  const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
  const isCommand = event.key === 'k' && (event.ctrlKey || event.metaKey)
  if (!isSlash && !isCommand) return
  event.preventDefault()
  openSearch()
}

/** Samples name the service that serves this page. */
function showOwnAddress() {
  const own = root.href.replace(/\/$/, '')
  if (own === 'http://127.0.0.1:3000') return
  for (const code of $$('.samples pre, pre.sample')) {
    const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) walker.currentNode.data = walker.currentNode.data.replaceAll('http://127.0.0.1:3000', own)
  }
}

function showLanguage(language) {
  for (const input of $$('.samples input')) if (input.value === language) input.checked = true
}

/** One choice of language for all samples, here and on the next page. */
function followLanguage({ target }) {
  if (!target.matches('.samples input')) return
  const before = target.getBoundingClientRect().top
  localStorage.setItem('parley language', target.value)
  showLanguage(target.value)
  // Samples above grew or shrank: what was clicked stays where it was.
  scrollBy(0, target.getBoundingClientRect().top - before)
}

function addCopyButtons() {
  for (const block of $$('pre:not([hidden])')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText($('code', block).textContent)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, 1500)
    })
    block.append(button)
  }
}

function offerTryIt() {
  for (const operation of $$('.operation')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'try'
    button.textContent = 'Try it'
    button.addEventListener('click', async () => {
      const { openTryIt } = await import('./try-it.js')
      button.hidden = true
      const onClose = () => {
        button.hidden = false
        button.focus()
      }
      openTryIt(operation, new URL('api/v1', root), { onClose, onKey: keepThisPage })
    })
    $('.path', operation).append(button)
  }
}

/** What was pasted is in its memory alone. */
async function keepThisPage() {
  const { followLinksHere } = await import('./follow-links.js')
  followLinksHere(root, showPage)
}

/** What an address points at may be folded away, or on another page since the reference has several. */
async function openTarget() {
  const id = decodeURIComponent(location.hash.slice(1))
  if (id === '') return
  const target = document.getElementById(id)
  if (target === null) return findElsewhere(id)
  for (let part = target; part; part = part.parentElement) if (part.tagName === 'DETAILS') part.open = true
  target.scrollIntoView()
}

async function findElsewhere(id) {
  if (!$('main.home')) return
  const { placeOf } = await import('./search.js')
  const place = await placeOf(root, id.replace(/^schema-/, ''))
  if (place) location.replace(place)
}
