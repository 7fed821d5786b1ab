// Requests that one can paste, with ids of this very organization: for any kind of record, or the one at hand.
import type { Parley } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { usePlace, useSearchParam } from '../../api/place'
import { curlFor, keyStart, typescriptFor } from '../../api/request-examples'
import { useSchema } from '../../api/schema'
import { text } from '../../text'
import { ChoiceField } from '../../ui/field'
import { CodeBlock, JsonView } from '../../ui/json-view'
import { Body } from '../../ui/page'
import { explain } from '../../ui/states'

/** Kinds that are no plain entities and are read like one all the same. */
const besides = ['webhooks', 'api-keys', 'events']

interface Found {
  readonly path: string
  readonly record: unknown
}

async function one(parley: Parley, path: string, signal: AbortSignal): Promise<Found> {
  return { path, record: await parley.request({ method: 'GET', path, options: { signal } }) }
}

async function newestOf(parley: Parley, slug: string, signal: AbortSignal): Promise<Found> {
  const [record = null] = (await parley.entity(slug).list({ limit: 1 }, { signal })).data
  return { path: `/${slug}/${record?.id ?? record?.['eventId'] ?? '{id}'}`, record }
}

export function Examples() {
  const { parley, key, environment } = usePlace()
  const [asked, setAsked] = useSearchParam('path')
  const path = /^\/[a-z-]+(\/[\w-]+)*$/.test(asked) ? asked : '/people'
  const [, slug = ''] = path.split('/')
  const entities = useSchema()?.entities ?? []
  const slugs = [...entities.map((one) => one.slug), ...besides].toSorted()
  const found = useQuery({
    queryKey: [...key, 'examples', path],
    queryFn: ({ signal }) => (path === `/${slug}` ? newestOf(parley, slug, signal) : one(parley, path, signal)),
  })
  const shown = found.data?.path ?? path
  const curl = [`export PARLEY_API_KEY=${keyStart(environment)}`, curlFor(`/${slug}?limit=10`), curlFor(shown)]
  return (
    <Body>
      <div className="grid max-w-3xl gap-5">
        <div className="w-56">
          <ChoiceField
            label={text.developers.entity}
            value={slug}
            onChoose={(chosen) => setAsked(`/${chosen}`)}
            options={(slugs.includes(slug) ? slugs : [slug, ...slugs]).map((name) => [name, name])}
          />
        </div>
        <CodeBlock code={curl.join('\n')} label="curl" />
        <CodeBlock code={typescriptFor(shown)} label="TypeScript" />
        {found.isError && <p className="text-danger">{explain(found.error)}</p>}
        {Boolean(found.data?.record) && (
          <JsonView value={found.data?.record} label={path === `/${slug}` ? text.developers.newest : path} />
        )}
        {found.data && !found.data.record && <p className="text-muted">{text.developers.noneYet}</p>}
      </div>
    </Body>
  )
}
