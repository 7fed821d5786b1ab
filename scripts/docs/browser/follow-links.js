// Once a key was pasted, links within the documentation are followed without leaving the page: its text is exchanged for
// that of the other page. So the key, which is in the memory of the page alone, is asked for once. Whoever reloads or
// leaves is asked again. Without a key all links are ordinary ones.

let shown
let show

/** `onShown` is called when another text has come. */
export function followLinksHere(root, onShown) {
  if (shown !== undefined) return
  shown = location.pathname
  show = onShown
  document.addEventListener('click', (event) => {
    const to = targetOf(event, new URL('docs', root))
    if (to === undefined) return
    event.preventDefault()
    exchange(to, () => history.pushState(null, '', to))
  })
  addEventListener('popstate', () => {
    if (location.pathname !== shown) exchange(new URL(location.href))
  })
}

/** The page of the documentation that a click leads to; undefined where the browser does better. */
function targetOf(event, docs) {
  const link = event.target.closest?.('a[href]')
  const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
  if (!link || !isPlain || event.defaultPrevented || link.target !== '') return undefined
  const to = new URL(link.href)
  const isPage = to.origin === docs.origin && `${to.pathname}/`.startsWith(`${docs.pathname}/`)
  const isFile = to.pathname.split('/').at(-1).includes('.')
  return isPage && !isFile && to.pathname !== shown ? to : undefined
}

async function exchange(to, enter = () => {}) {
  const html = await fetch(to).then(
    (response) => (response.ok ? response.text() : undefined),
    () => undefined,
  )
  // It is gone, or the service does not answer: the browser says so.
  if (html === undefined) return location.assign(to)
  for (const form of document.querySelectorAll('form.try-it')) form.stop?.()
  enter()
  shown = to.pathname
  const { title, body } = new DOMParser().parseFromString(html, 'text/html')
  document.title = title
  document.body.replaceChildren(...body.children, ...document.querySelectorAll('body > dialog'))
  scrollTo(0, 0)
  document.getElementById('page-main').focus({ preventScroll: true })
  show()
}
