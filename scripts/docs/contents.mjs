// The contents of the documentation site: which Markdown page stands where, and in which order. A guide that is not named
// here is found all the same, at the end of the guides.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const guides = [
  ['Start', ['start', 'requests', 'lists', 'overview', 'signing-in', 'cockpit']],
  ['Conversations', ['calls', 'sms', 'people', 'extraction', 'facts-and-drafts']],
  ['Events', ['webhooks', 'verify-webhooks', 'events']],
  ['Tools', ['sdk', 'python', 'cli', 'agents', 'mcp', 'bulk', 'imports', 'automation', 'n8n', 'zapier']],
  ['Providers', ['twilio', 'retell', 'vapi', 'elevenlabs']],
  ['Operate', ['operating', 'production', 'monitoring', 'backup', 'platform', 'growing', 'upgrading']],
]
/** Generated pages whose place is in the first row of the reference. */
const reference = ['errors', 'events', 'entities', 'states', 'limits', 'settings', 'providers']

/** `{path, file, group}` of every Markdown page. */
export function markdownPages(root) {
  const there = namesIn(join(root, 'docs/guides'))
  const named = guides.flatMap(([group, names]) =>
    names.filter((name) => there.includes(name)).map((name) => ({ group, name })),
  )
  const rest = there
    .filter((name) => !named.some((one) => one.name === name))
    .map((name) => ({ group: 'More guides', name }))
  return [
    ...[...named, ...rest].map(({ group, name }) => ({
      path: `guides/${name}`,
      file: `docs/guides/${name}.md`,
      group,
    })),
    ...reference
      .filter((name) => existsSync(join(root, `docs/reference/${name}.md`)))
      .map((name) => ({ path: name, file: `docs/reference/${name}.md`, group: 'Reference' })),
    ...namesIn(join(root, 'docs/decisions')).map((name) => ({
      path: `decisions/${name}`,
      file: `docs/decisions/${name}.md`,
      group: 'Decisions',
    })),
    { path: 'security', file: 'SECURITY.md', group: 'About' },
    { path: 'changes', file: 'CHANGELOG.md', group: 'About' },
  ]
}

const namesIn = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3))
    .sort()
