// The kinds of work that the organization does. Each opens in its form builder.
import type { WorkTypeDefinition } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { Wrench } from 'lucide-react'
import { useGo, usePlace } from '../../api/place'
import { useOwnerOnly } from '../../api/role'
import { useSchema } from '../../api/schema'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { ChoiceField } from '../../ui/field'
import { GoLink } from '../../ui/go-link'
import { Empty, Failure, Waiting } from '../../ui/states'
import { Badge, sentence } from '../../ui/words'
import { fieldsOf } from './work-fields'
import { WorkTypeEditor } from './work-type-editor'

export function WorkTypes({ rest: [id] }: { rest: readonly string[] }) {
  const { parley, key, at } = usePlace()
  const list = useQuery({
    queryKey: [...key, 'work-types'],
    queryFn: async ({ signal }) => (await parley.workTypeDefinitions.list({ limit: 100 }, { signal })).data,
  })
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <Waiting />
  const open = list.data.find((type) => type.id === id)
  if (open) return <WorkTypeEditor key={`${open.id} ${open.version}`} type={open} />
  if (id !== undefined) return <Empty icon={<Wrench size={20} />} title={text.notFound.title} />
  return (
    <div className="grid max-w-3xl gap-3">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p className="min-w-0 flex-1 basis-64 text-muted">{text.settings.typesIntro}</p>
        <AddKind known={list.data} />
      </div>
      {list.data.length === 0 && <Empty icon={<Wrench size={20} />} title={text.settings.noTypes} />}
      <ul className="divide-y divide-line border-y border-line">
        {list.data
          .toSorted((one, other) => Number(other.enabled) - Number(one.enabled))
          .map((type) => (
            <li key={type.id}>
              <GoLink href={at('settings', 'types', type.id)} className="flex items-center gap-3 py-2.5 hover:bg-hover">
                <span className="min-w-0 flex-1 truncate font-medium">{type.label}</span>
                <span className="text-muted max-sm:hidden">{text.settings.fieldCount(fieldsOf(type).length)}</span>
                <span className="w-36 font-mono text-xs text-muted max-sm:hidden">{type.canonicalKind}</span>
                <Badge tone={type.enabled ? 'good' : 'neutral'}>
                  {type.enabled ? text.settings.on : text.settings.off}
                </Badge>
              </GoLink>
            </li>
          ))}
      </ul>
    </div>
  )
}

/** One of the kinds that the organization has no definition of. */
function AddKind({ known }: { known: readonly WorkTypeDefinition[] }) {
  const { parley, at } = usePlace()
  const go = useGo()
  const why = useOwnerOnly()
  const kinds = useSchema()?.canonicalKinds ?? []
  const left = kinds.filter(({ kind }) => !known.some(({ canonicalKind }) => canonicalKind === kind))
  const add = useSaving((canonicalKind: string) => parley.workTypeDefinitions.create({ canonicalKind }), {
    touched: 'work-types',
    said: text.settings.added,
    onSaved: ({ id }) => go(at('settings', 'types', id)),
  })
  if (left.length === 0) return null
  return (
    <div className="w-48">
      <ChoiceField
        label={text.settings.addType}
        value=""
        disabled={why !== undefined || add.isPending}
        onChoose={(kind) => kind !== '' && add.mutate(kind)}
        options={[['', text.settings.chooseKind], ...left.map(({ kind }) => [kind, sentence(kind)] as const)]}
      />
    </div>
  )
}
