// llms.txt: what there is to read, for machines, with the Markdown of each page. See https://llmstxt.org.
import { markdownOf } from './links.mjs'

export function llmsText(groups) {
  const sections = groups.slice(1).map(({ name, pages }) => {
    const lines = pages.map(({ path, title, intro }) => `- [${title}](/docs/${markdownOf(path)}): ${short(intro)}`)
    return `## ${name === 'Decisions' ? 'Optional' : name}\n\n${lines.join('\n')}`
  })
  return `${[
    '# Parley',
    '> An open, self-hosted system of record for calls, SMS, voicemails, drafts, facts, people and work, behind a REST API with signed webhooks.',
    'The API is at /api/v1 and its OpenAPI document at [/api/v1/openapi.json](/api/v1/openapi.json). Send `Authorization: Bearer ak_test_…`; `GET /api/v1/schema` tells what a key can reach. Every page of /docs is also Markdown: put `.md` behind its address.',
    ...sections,
  ].join('\n\n')}\n`
}

/** The first sentence or two. */
function short(text) {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= 160) return line
  const end = line.slice(0, 160).lastIndexOf('. ')
  return end > 40 ? line.slice(0, end + 1) : `${line.slice(0, 157).replace(/\s\S*$/, '')} …`
}
