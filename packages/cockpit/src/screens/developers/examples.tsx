// Requests that one can paste, with ids of this very organization.
import { useQuery } from '@tanstack/react-query'
import { usePlace, useSearchParam } from '../../api/place'
import { text } from '../../text'
import { ChoiceField } from '../../ui/field'
import { CodeBlock, JsonView } from '../../ui/json-view'
import { Body } from '../../ui/page'

const slugs = ['people', 'calls', 'drafts', 'facts', 'work-records', 'tasks', 'notes', 'sms', 'voicemails'] as const

const camel = (slug: string): string => slug.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

export function Examples() {
  const { parley, key, environment } = usePlace()
  const [chosen, setSlug] = useSearchParam('entity')
  const slug = slugs.find((one) => one === chosen) ?? 'people'
  const { data: newest } = useQuery({
    queryKey: [...key, 'examples', slug],
    queryFn: async ({ signal }) => (await parley.entity(slug).list({ limit: 1 }, { signal })).data[0] ?? null,
  })
  const id = newest?.id ?? '{id}'
  const root = `${location.origin}/api/v1`
  const keyName = environment === 'sandbox' ? 'ak_test_…' : 'ak_live_…'
  const curl = [
    `export KEY=${keyName}`,
    `curl "${root}/${slug}?limit=10" -H "Authorization: Bearer $KEY"`,
    `curl "${root}/${slug}/${id}" -H "Authorization: Bearer $KEY"`,
  ].join('\n')
  const typescript = [
    `import { Parley } from '@parley/sdk'`,
    '',
    `const parley = new Parley({ apiKey: process.env.PARLEY_API_KEY, baseUrl: '${location.origin}' })`,
    `const one = await parley.${camel(slug)}.get('${id}')`,
    `for await (const record of parley.${camel(slug)}.list()) console.log(record.id)`,
  ].join('\n')
  return (
    <Body>
      <div className="grid max-w-3xl gap-5">
        <div className="w-56">
          <ChoiceField
            label={text.developers.entity}
            value={slug}
            onChoose={setSlug}
            options={slugs.map((one) => [one, one])}
          />
        </div>
        <CodeBlock code={curl} label="curl" />
        <CodeBlock code={typescript} label="TypeScript" />
        {newest ? (
          <JsonView value={newest} label={text.developers.newest} />
        ) : (
          <p className="text-muted">{text.developers.noneYet}</p>
        )}
      </div>
    </Body>
  )
}
