// Definitions of one sort, each leading to its form.
import type { Page } from '@parley/sdk'
import { Plus } from 'lucide-react'
import { useGo, usePlace } from '../../api/place'
import { useWritersOnly } from '../../api/role'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { GoLink } from '../../ui/go-link'
import { useEndless } from '../../ui/rows'
import { Failure, Waiting } from '../../ui/states'

interface Definition {
  readonly id: string
  readonly key: string
  readonly label: string
}

interface ListProps<T> {
  readonly kind: 'facts' | 'signals'
  readonly title: string
  readonly intro: string
  readonly read: (page: { limit: number; cursor?: string | undefined }, signal: AbortSignal) => Promise<Page<T>>
  readonly detail: (definition: T) => string
}

export function DefinitionList<T extends Definition>({ kind, title, intro, read, detail }: ListProps<T>) {
  const { key, at } = usePlace()
  const go = useGo()
  const why = useWritersOnly()
  const list = useEndless<T>([...key, 'definitions', kind], read)
  return (
    <section aria-label={title} className="min-w-0">
      <div className="flex items-start justify-between gap-4 pb-2">
        <div>
          <h2 className="font-semibold">{title}</h2>
          <p className="text-muted">{intro}</p>
        </div>
        <Button
          icon={<Plus size={15} aria-hidden />}
          because={why}
          onClick={() => go(at('settings', 'definitions', kind, 'new'))}
        >
          {text.settings.addDefinition[kind]}
        </Button>
      </div>
      {list.isPending && <Waiting rows={3} />}
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && list.rows.length === 0 && <p className="text-muted">{text.settings.noDefinitions}</p>}
      <ul className="divide-y divide-line border-y border-line empty:border-0">
        {list.rows.map((definition) => (
          <li key={definition.id}>
            <GoLink
              href={at('settings', 'definitions', kind, definition.id)}
              className="flex items-center gap-4 py-2 hover:bg-hover max-sm:py-3"
            >
              <span className="min-w-0 flex-1 truncate font-medium">{definition.label}</span>
              <span className="min-w-0 truncate font-mono text-xs text-muted max-sm:hidden">{definition.key}</span>
              <span className="w-28 truncate text-end text-muted">{detail(definition)}</span>
            </GoLink>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button look="quiet" disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {text.timeline.more}
        </Button>
      )}
    </section>
  )
}
