// docs/reference/providers.md: the systems that a connection can be made to, with what each needs and what it sends.
import { providers } from '../../packages/server/dist/providers/table.js'
import { code, page, table } from './markdown.mjs'

export const providersPage = () =>
  page(
    '# Providers',
    'A connection may name any system. For these, `config` and `credentials` are checked, and `inboundUrls` has an address for each kind that they send. `GET /schema` shows the same under `providers`.',
    ...Object.entries(providers).flatMap(([name, provider]) => [
      `## ${provider.label}: ${code(name)}`,
      `Connections are of kind ${code(provider.connectionKind)}.`,
      table(
        ['Field', 'Needed', 'Meaning'],
        [...fields('config', provider.config), ...fields('credentials', provider.credentials)],
      ),
      Object.keys(provider.inbound).length > 0 &&
        table(
          ['Kind', 'What it is for', 'Bytes at most'],
          Object.entries(provider.inbound).map(([kind, { description, bytesMax }]) => [
            code(kind),
            description,
            bytesMax.toLocaleString('en'),
          ]),
        ),
    ]),
  )

const fields = (prefix, { properties, required }) =>
  Object.entries(properties).map(([name, { description = '' }]) => [
    code(`${prefix}.${name}`),
    required.includes(name) ? 'yes' : '',
    description,
  ])
