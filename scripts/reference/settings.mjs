// docs/reference/settings.md: every environment variable that the server reads.
import { settings } from '../../packages/server/dist/config/config.js'
import { code, page, table } from './markdown.mjs'

export const settingsPage = () =>
  page(
    '# Settings',
    'The server is set up by environment variables. All of them have a default or may stay unset: `npm start` works without any. What is wrong is reported at start, all at once, and the server does not run. An unknown name that begins with `PARLEY_` is wrong too; `PARLEY_API_KEY` and `PARLEY_BASE_URL` belong to clients and are ignored.',
    'Durations are written `150ms`, `10s`, `5m`, `1h`.',
    table(
      ['Name', 'Default', 'Meaning'],
      settings.map(({ name, default: byDefault, meaning }) => [
        code(name),
        byDefault === null ? 'unset' : byDefault === '' ? 'empty' : code(byDefault),
        meaning,
      ]),
    ),
    'Subscribers whose certificates come from a private authority: set Node’s own `NODE_EXTRA_CA_CERTS` to its file.',
  )
