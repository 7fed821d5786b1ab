// Addresses within the site. All are relative, because a proxy may serve the whole service under a path of its own. A page
// is named by its path below `/docs`; the first page is ''.

const depth = (from) => (from === '' ? 0 : from.split('/').length)

/** Shown at any address that is none, so that its own links cannot be relative. */
export const MISSING = '404'

/** From one page to another, or to a file of the site. */
export function relative(from, to, id = '') {
  const hash = id === '' ? '' : `#${encodeURI(id)}`
  if (from === MISSING) return `/docs${to && `/${to}`}${hash}`
  if (from === to && hash !== '') return hash
  if (from === '') return (to === '' ? 'docs' : `docs/${to}`) + hash
  return (to === '' ? `${'../'.repeat(depth(from))}docs` : '../'.repeat(depth(from) - 1) + to) + hash
}

/** To something of the service that is not of the site, such as `api/v1`. */
export const toService = (from, path) => (from === MISSING ? `/${path}` : '../'.repeat(depth(from)) + path)

/** The Markdown of a page. */
export const markdownOf = (path) => `${path === '' ? 'index' : path}.md`
