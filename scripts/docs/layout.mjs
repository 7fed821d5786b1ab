// The frame around every page of the site: head, bar, navigation, what comes before and after. No inline script, no inline
// style, nothing from elsewhere.
import { escape } from './html.mjs'
import { markdownOf, relative, toService } from './links.mjs'

/** `page` has path, title, html and sections; `site` the pages in their order and the folder of the assets. */
export function layout(page, site) {
  const to = (path, id) => relative(page.path, path, id)
  const title = page.path === '' ? 'Parley documentation' : `${page.title} · Parley`
  return `<!doctype html>
<html lang="en" data-root="${toService(page.path, '') || './'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${escape(page.intro.slice(0, 200))}">
<title>${escape(title)}</title>
<link rel="icon" type="image/svg+xml" href="${to(`${site.assets}/icon.svg`)}">
<link rel="stylesheet" href="${to(`${site.assets}/docs.css`)}">
${page.markdown ? `<link rel="alternate" type="text/markdown" href="${to(markdownOf(page.path))}">` : ''}
<script src="${to(`${site.assets}/theme.js`)}"></script>
<script src="${to(`${site.assets}/docs.js`)}" type="module"></script>
</head>
<body>
<a class="skip" href="#page-main">Skip to the text</a>
<header>
<a class="menu" href="#page-nav">Menu</a>
<a class="brand" href="${to('')}">Parley <span>docs</span></a>
<button type="button" id="page-search" hidden>Search <kbd>/</kbd></button>
<a class="cockpit" href="${toService(page.path, '') || './'}">Cockpit</a>
<button type="button" id="page-theme" hidden>Theme</button>
</header>
<nav id="page-nav" aria-label="Contents">
<a class="close" href="#page-main">Close</a>
${navigation(page, site, to)}
</nav>
<main id="page-main" class="${page.kind}" tabindex="-1">
<article>
<h1>${escape(page.title)}</h1>
${page.html}
</article>
${footer(page, site, to)}
</main>
${onThisPage(page)}
</body>
</html>
`
}

function navigation(page, { groups }, to) {
  return groups
    .map(({ name, pages }) => {
      const items = pages.map((one) => {
        const isHere = one.path === page.path
        const within = isHere && one.operations?.length > 1 ? operationsOf(one) : ''
        return `<li><a href="${to(one.path)}"${isHere ? ' aria-current="page"' : ''}>${escape(one.short ?? one.title)}</a>${within}</li>`
      })
      const isOpen = name !== 'Decisions' || pages.some(({ path }) => path === page.path)
      return isOpen && name !== 'Decisions'
        ? `<h2>${escape(name)}</h2><ul>${items.join('')}</ul>`
        : `<details${isOpen ? ' open' : ''}><summary>${escape(name)}</summary><ul>${items.join('')}</ul></details>`
    })
    .join('\n')
}

const operationsOf = ({ operations }) =>
  `<ul>${operations
    .map(
      ({ id, method, summary }) =>
        `<li><a href="#${id}"><span class="dot ${method.toLowerCase()}"></span>${escape(summary)}</a></li>`,
    )
    .join('')}</ul>`

function footer(page, { pages }, to) {
  const index = page.markdown ? pages.indexOf(page) : -2
  const link = (one, rel, words) =>
    one ? `<a rel="${rel}" href="${to(one.path)}"><span>${words}</span> ${escape(one.title)}</a>` : '<span></span>'
  return `<footer><div class="turn">${link(pages[index - 1], 'prev', 'Previous')}${link(pages[index + 1], 'next', 'Next')}</div>
<p>${page.markdown ? `<a href="${to(markdownOf(page.path))}">This page as Markdown</a>` : ''} <a href="${to('llms.txt')}">llms.txt</a>
<a href="${toService(page.path, 'api/v1/openapi.json')}">openapi.json</a></p></footer>`
}

function onThisPage({ kind, sections = [] }) {
  const shown = sections.filter(({ depth, id }) => id !== '' && depth === 2)
  if (kind === 'api' || shown.length < 2) return ''
  const links = shown.map(({ id, title }) => `<li><a href="#${encodeURI(id)}">${escape(title)}</a></li>`)
  return `<aside aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></aside>`
}
