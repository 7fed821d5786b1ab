// Saved views: filters under a name that everybody in the organization can go back to.
import type { SavedView } from '@parley/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { Bookmark, Pencil, Plus, Save, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useGo, usePlace } from '../../api/place'
import { useKeys } from '../../frame/keys'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Menu, MenuItem, MenuLine } from '../../ui/menu'
import { explain } from '../../ui/states'
import { NameView } from './name-view'
import { filterIn, filterNames } from './work-filters'

type Layout = 'table' | 'board'
type Filters = Readonly<Partial<Record<(typeof filterNames)[number], string | null>>>

/** The filters of the address, null where it leaves one open. */
const filtersOf = (search: string): Filters => {
  const filter = filterIn(search)
  return Object.fromEntries(filterNames.map((name) => [name, filter[name] ?? null]))
}

const isSame = (a: Filters, b: Filters): boolean => filterNames.every((name) => (a[name] ?? null) === (b[name] ?? null))

export function SavedViews({ layout }: { layout: Layout }) {
  const { parley, key, at } = usePlace()
  const go = useGo()
  const queries = useQueryClient()
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const [naming, setNaming] = useState<'new' | 'current' | null>(null)
  const { data: views = [] } = useQuery({
    queryKey: [...key, 'work', 'views'],
    queryFn: async ({ signal }) => (await parley.savedViews.list({ limit: 100, sort: 'createdAt' }, { signal })).data,
  })
  const filters = filtersOf(search)
  const current = views.find(({ id }) => id === new URLSearchParams(search).get('view'))
  const isChanged = current !== undefined && !(isSame(current.filters, filters) && current.layout === layout)
  const open = (view: SavedView) => {
    const chosen = filterNames.flatMap((name) => (view.filters[name] === null ? [] : [[name, view.filters[name]]]))
    go(`${at('work', view.layout)}?${new URLSearchParams([...chosen, ['view', view.id]])}`)
  }
  const act = useMutation({
    mutationFn: (write: () => Promise<unknown>) => write(),
    onError: (error) => toast(explain(error), { tone: 'danger' }),
    onSettled: () => queries.invalidateQueries({ queryKey: [...key, 'work', 'views'] }),
  })
  const save = (name: string) =>
    act.mutate(async () => {
      if (naming === 'current' && current) return parley.savedViews.update(current.id, { name })
      open(await parley.savedViews.create({ name, layout, filters }))
    })
  const remove = (view: SavedView) =>
    act.mutate(async () => {
      await parley.savedViews.delete(view.id)
      go(at('work', layout))
      const { name, layout: kept, filters: were } = view
      const back = () => act.mutate(() => parley.savedViews.create({ name, layout: kept, filters: were }))
      toast(text.work.viewGone(name), { undo: back })
    })
  useKeys([{ key: '', label: text.work.saveView, run: () => setNaming('new') }])
  return (
    <>
      <Menu
        triggerClass="inline-flex h-8 max-w-56 items-center gap-1.5 rounded-md border border-line-strong bg-surface px-3 font-medium hover:bg-hover max-sm:h-11"
        trigger={
          <>
            <Bookmark size={14} aria-hidden className="shrink-0" />
            <span className="truncate">{current?.name ?? text.work.views}</span>
            {isChanged && <span className="text-muted">{text.work.viewChanged}</span>}
          </>
        }
      >
        {views.map((view) => (
          <MenuItem key={view.id} isCurrent={view.id === current?.id} onPick={() => open(view)}>
            {view.name}
          </MenuItem>
        ))}
        {views.length > 0 && <MenuLine />}
        {isChanged && (
          <MenuItem
            icon={<Save size={14} aria-hidden />}
            onPick={() => act.mutate(() => parley.savedViews.update(current.id, { layout, filters }))}
          >
            {text.work.keepChanges(current.name)}
          </MenuItem>
        )}
        <MenuItem icon={<Plus size={14} aria-hidden />} onPick={() => setNaming('new')}>
          {text.work.saveView}
        </MenuItem>
        {current && (
          <>
            <MenuItem icon={<Pencil size={14} aria-hidden />} onPick={() => setNaming('current')}>
              {text.work.renameView(current.name)}
            </MenuItem>
            <MenuItem icon={<Trash2 size={14} aria-hidden />} onPick={() => remove(current)}>
              {text.work.deleteView(current.name)}
            </MenuItem>
          </>
        )}
      </Menu>
      {naming && (
        <NameView
          name={naming === 'current' ? (current?.name ?? '') : ''}
          onSave={(name) => save(name)}
          onClose={() => setNaming(null)}
        />
      )}
    </>
  )
}
