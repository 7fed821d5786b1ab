// Filters of work, kept in the address, so that a view can be saved as a bookmark and sent to a colleague.
import { useDeferredValue } from 'react'
import { useSearchParam } from '../../api/place'
import { text } from '../../text'
import { ChoiceField, TextField } from '../../ui/field'

const states = ['active', 'blocked', 'completed', 'canceled'] as const
const priorities = ['urgent', 'high', 'normal', 'low'] as const

export interface WorkFilter {
  readonly q?: string
  readonly recordState?: string
  readonly priority?: string
}

export function useWorkFilter(): WorkFilter {
  const [q] = useSearchParam('q')
  const [recordState] = useSearchParam('state')
  const [priority] = useSearchParam('priority')
  const asked = useDeferredValue(q.trim())
  return {
    ...(asked !== '' && { q: asked }),
    ...(recordState !== '' && { recordState }),
    ...(priority !== '' && { priority }),
  }
}

/** A board shows every state in a column of its own, so it does not choose one. */
export function WorkFilters({ hasState = true }: { hasState?: boolean }) {
  const [q, setQ] = useSearchParam('q')
  const [state, setState] = useSearchParam('state')
  const [priority, setPriority] = useSearchParam('priority')
  return (
    <div className="flex flex-wrap gap-2 px-4 py-2 sm:px-6">
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
    </div>
  )
}
