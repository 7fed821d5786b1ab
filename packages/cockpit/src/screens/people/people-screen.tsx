// People and customers: found as one types, with everything that is known and where it came from.
import type { Customer, Person } from '@parley/sdk'
import { Building2, Search, Users } from 'lucide-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { useGo, usePathParts, usePlace, useSearchParam } from '../../api/place'
import { useKeys } from '../../frame/keys'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { ListAndDetail } from '../../ui/list-and-detail'
import { Moment } from '../../ui/moment'
import { Rows, useEndless } from '../../ui/rows'
import { Empty, Failure, Waiting } from '../../ui/states'
import { phoneText } from '../../ui/words'
import { CustomerView } from './customer-view'
import { PersonView } from './person-view'

const kinds = ['people', 'customers'] as const

export function PeopleScreen() {
  const { at } = usePlace()
  const [, first, second] = usePathParts('people')
  const kind = first === 'customers' ? 'customers' : 'people'
  const id = kind === 'customers' ? second : first
  const list = (
    <>
      <header className="flex h-14 items-center gap-3 px-4">
        <h1 className="text-lg font-semibold">{text.screens.people}</h1>
        <nav aria-label={text.screens.people} className="ms-auto flex gap-1">
          {kinds.map((one) => (
            <GoLink
              key={one}
              href={one === 'people' ? at('people') : at('people', 'customers')}
              aria-current={one === kind ? 'page' : undefined}
              className={`rounded-md px-2 py-1 font-medium ${one === kind ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-hover'}`}
            >
              {text.people[one]}
            </GoLink>
          ))}
        </nav>
      </header>
      <Found key={kind} kind={kind} shown={id} />
    </>
  )
  return (
    <ListAndDetail label={text.screens.people} list={list} isChosen={id !== undefined}>
      {id === undefined && (
        <Empty icon={kind === 'people' ? <Users size={20} /> : <Building2 size={20} />} title={text.people.choose}>
          {text.people.chooseBody}
        </Empty>
      )}
      {id !== undefined && (kind === 'people' ? <PersonView key={id} id={id} /> : <CustomerView key={id} id={id} />)}
    </ListAndDetail>
  )
}

function Found({ kind, shown }: { kind: (typeof kinds)[number]; shown: string | undefined }) {
  const { parley, key, at } = usePlace()
  const go = useGo()
  const [asked, setAsked] = useSearchParam('q')
  const [typed, setTyped] = useState(asked)
  const q = useDeferredValue(typed.trim())
  useEffect(() => {
    const timer = setTimeout(() => typed !== asked && setAsked(typed), 400)
    return () => clearTimeout(timer)
  })
  const list = useEndless<Person | Customer>([...key, kind, 'found', q], (page, signal) =>
    parley[kind].list(q === '' ? page : { q, ...page }, { signal }),
  )
  const href = (id: string) => (kind === 'people' ? at('people', id) : at('people', 'customers', id)) + location.search
  const index = list.rows.findIndex(({ id }) => id === shown)
  const step = (by: number) => {
    const next = list.rows[Math.max(0, index + by)]
    if (next) go(href(next.id), { replace: true })
  }
  useKeys([
    { key: 'j', label: text.keys.next, run: () => step(1) },
    { key: 'k', label: text.keys.previous, run: () => step(-1) },
    { key: '/', label: text.search, run: () => document.getElementById('find-people')?.focus() },
  ])
  return (
    <>
      <div className="relative px-4 pb-3">
        <Search size={15} aria-hidden className="absolute start-6.5 top-2 text-muted max-sm:top-3.5" />
        <input
          id="find-people"
          type="search"
          aria-label={text.people.find}
          placeholder={text.people.find}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          className="h-8 w-full rounded-md border border-line-strong bg-surface ps-8 pe-2 max-sm:h-11"
        />
      </div>
      {list.isPending && <Waiting />}
      {list.isError && <Failure error={list.error} onRetry={() => void list.refetch()} />}
      {list.isSuccess && list.rows.length === 0 && (
        <Empty icon={<Users size={20} />} title={q === '' ? text.people.none : text.nothingFound(q)}>
          {q === '' ? text.people.noneBody : undefined}
        </Empty>
      )}
      {list.rows.length > 0 && (
        <Rows
          rows={list.rows}
          rowHeight={52}
          label={text.people[kind]}
          hasMore={list.hasNextPage}
          onMore={() => void list.fetchNextPage()}
          onTop={list.onTop}
          chosen={index}
        >
          {({ id, displayName, primaryPhone, primaryEmail, createdAt }) => (
            <GoLink
              href={href(id)}
              aria-current={id === shown ? 'true' : undefined}
              className={`mx-2 flex h-12 flex-col justify-center rounded-md px-2.5 ${id === shown ? 'bg-accent-soft' : 'hover:bg-hover'}`}
            >
              <span className="flex items-baseline justify-between gap-2">
                <span className="truncate font-medium">{displayName}</span>
                <Moment at={createdAt} className="text-xs text-muted" />
              </span>
              <span className="figures truncate text-muted">
                {primaryPhone === null ? (primaryEmail ?? text.nothing) : phoneText(primaryPhone)}
              </span>
            </GoLink>
          )}
        </Rows>
      )}
    </>
  )
}
