// The first page: how to begin, and the way to everything else.
import { codeBlock, escape, paragraphs } from './html.mjs'
import { markdownOf, relative } from './links.mjs'
import { SAMPLE_ORIGIN } from './samples.mjs'

const groups = ['Start', 'Conversations', 'Events', 'Tools', 'Providers', 'Operate', 'More guides', 'Reference']

const first = `curl "${SAMPLE_ORIGIN}/api/v1/people" \\
  -H "Authorization: Bearer $PARLEY_API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"firstName": "Maria", "lastName": "Lopez", "primaryPhone": "+1 (555) 010-0200"}'`

export function homePage(pages, { info, operations }) {
  const lead = `${info.description.split('\n\n')[0].replaceAll('\n', ' ')}`
  const basics = info.description.split('\n\n').slice(1).join('\n\n')
  const shown = groups
    .map((name) => ({ name, own: pages.filter(({ group }) => group === name) }))
    .filter(({ own }) => own.length > 0)
  const cards = shown.map(
    ({ name, own }) =>
      `<section class="card"><h2 id="${name.toLowerCase().replace(' ', '-')}">${name}</h2><ul>${own
        .map(({ path, title }) => `<li><a href="${relative('', path)}">${escape(title)}</a></li>`)
        .join('')}</ul></section>`,
  )
  return {
    path: '',
    kind: 'home',
    title: 'Parley documentation',
    short: 'Home',
    intro: lead,
    html: `<p class="lead">${escape(lead)}</p>
<p>Make a record with a sandbox key (<code>ak_test_…</code>); the first start of the server prints one.</p>
${codeBlock(first, 'sh', 'sample')}
<div class="cards">${cards.join('')}
<section class="card"><h2 id="api">API</h2><ul class="many">${pages
      .filter(({ kind }) => kind === 'api')
      .map(({ path, title }) => `<li><a href="${relative('', path)}">${escape(title)}</a></li>`)
      .join('')}</ul></section></div>
<h2 id="in-short">In short</h2>${paragraphs(basics)}`,
    markdown: `# Parley documentation\n\n${lead}\n\n\`\`\`sh\n${first}\n\`\`\`\n\n${basics}\n\n${shown
      .concat({ name: 'API', own: pages.filter(({ kind }) => kind === 'api') })
      .map(
        ({ name, own }) =>
          `## ${name}\n\n${own.map(({ path, title }) => `- [${title}](${markdownOf(path)})`).join('\n')}`,
      )
      .join('\n\n')}\n`,
    sections: [{ id: '', title: '', depth: 1, text: `${info.description} ${operations.length} operations` }],
  }
}
