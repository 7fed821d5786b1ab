// Filters of work, kept in the address under the names that the API has for them: a bookmark is a view, and so is what
// is saved under a name.
import { useRouterState } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useDeferredValue, useMemo } from 'react'
import { useSearchParam } from '../../api/place'
import { text } from '../../text'
import { ChoiceField, TextField } from '../../ui/field'
import { sentence } from '../../ui/words'

const states = ['active', 'blocked', 'completed', 'canceled'] as const
const priorities = ['urgent', 'high', 'normal', 'low'] as const
/** Those without a field of their own: they come with a link or a saved view, and can be taken out. */
const others = ['kind', 'status', 'stage', 'source', 'customerId', 'primaryPersonId', 'assignedToId'] as const
export const filterNames = ['q', 'recordState', 'priority', ...others] as const

export type WorkFilter = Partial<Record<(typeof filterNames)[number], string>>

export function filterIn(search: string): WorkFilter {
  const params = new URLSearchParams(search)
  return Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = params.get(name)?.trim() ?? ''
      return value === '' ? [] : [[name, value]]
    }),
  )
}

export function useWorkFilter(): WorkFilter {
  const search = useDeferredValue(useRouterState({ select: ({ location }) => location.searchStr }))
  return useMemo(() => filterIn(search), [search])
}

/** A board shows every state in a column of its own, so it does not choose one. */
export function WorkFilters({ hasState = true }: { hasState?: boolean }) {
  const [q, setQ] = useSearchParam('q')
  const [state, setState] = useSearchParam('recordState')
  const [priority, setPriority] = useSearchParam('priority')
  const filter = useWorkFilter()
  return (
    <div className="flex flex-wrap items-center gap-2 px-4 py-2 sm:px-6">
      <div className="w-56 max-sm:w-full">
        <TextField
          label={text.work.find}
          hideLabel
          type="search"
          placeholder={text.work.find}
          value={q}
          onChange={({ target }) => setQ(target.value)}
        />
      </div>
      {hasState && (
        <div className="w-36 max-sm:flex-1">
          <ChoiceField
            label={text.work.state}
            hideLabel
            value={state}
            onChoose={setState}
            options={[['', text.work.anyState], ...states.map((one) => [one, text.work.states[one]] as const)]}
          />
        </div>
      )}
      <div className="w-36 max-sm:flex-1">
        <ChoiceField
          label={text.work.priority}
          hideLabel
          value={priority}
          onChoose={setPriority}
          options={[['', text.work.anyPriority], ...priorities.map((one) => [one, text.work.priorities[one]] as const)]}
        />
      </div>
      {others.map((name) => filter[name] !== undefined && <OtherFilter key={name} name={name} value={filter[name]} />)}
    </div>
  )
}

function OtherFilter({ name, value }: { name: string; value: string }) {
  const [, set] = useSearchParam(name)
  const label = `${text.fields[name] ?? sentence(name)}: ${name.endsWith('Id') ? value.slice(-6) : sentence(value)}`
  return (
    <button
      type="button"
      onClick={() => set('')}
      aria-label={text.work.leaveOut(label)}
      title={value}
      className="inline-flex h-8 items-center gap-1.5 rounded-full bg-accent-soft px-3 text-accent max-sm:h-11"
    >
      {label} <X size={13} aria-hidden />
    </button>
  )
}
