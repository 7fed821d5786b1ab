// ⌘K: goes anywhere, does anything by name, and searches people and work as one types.
import { Dialog as Base } from '@base-ui/react/dialog'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CornerDownLeft, Search } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useState } from 'react'
import { useGo, usePlace } from '../api/place'
import { text } from '../text'
import { type Command, useCommands } from './commands'
import { searchCommands } from './search-everything'

export function CommandBar({ onClose, onKeys }: { onClose: () => void; onKeys: () => void }) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const place = usePlace()
  const go = useGo()
  const asked = useDeferredValue(query.trim())
  const actions = useCommands(onKeys).filter(({ label }) => label.toLowerCase().includes(query.trim().toLowerCase()))
  const { data: found = [] } = useQuery({
    queryKey: [...place.key, 'search', asked],
    queryFn: ({ signal }) => searchCommands(place, asked, go, signal),
    enabled: asked.length > 1,
    placeholderData: keepPreviousData,
  })
  const all = asked.length > 1 ? [...found, ...actions] : actions
  const current = Math.min(chosen, all.length - 1)
  const run = (command: Command | undefined) => {
    if (command === undefined) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setChosen((current + step + all.length) % Math.max(1, all.length))
    }
    if (event.key === 'Enter') run(all[current])
  }
  return (
    <Base.Root open onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="appear fixed inset-0 z-40 bg-shade" />
        <Base.Popup
          aria-label={text.search}
          className="appear fixed inset-x-0 top-[12vh] z-40 mx-auto flex max-h-[64vh] w-[calc(100%-2rem)] max-w-xl flex-col overflow-hidden rounded-lg border border-line bg-raised shadow-float"
        >
          <div className="flex items-center gap-2.5 border-b border-line px-4">
            <Search size={16} aria-hidden className="text-muted" />
            <input
              role="combobox"
              aria-expanded
              aria-controls="commands"
              aria-activedescendant={all[current] ? `command-${current}` : undefined}
              aria-label={text.search}
              placeholder={text.searchHint}
              value={query}
              onChange={({ target }) => (setQuery(target.value), setChosen(0))}
              onKeyDown={onKeyDown}
              className="h-12 flex-1 bg-transparent text-base outline-none"
            />
          </div>
          <div id="commands" role="listbox" aria-label={text.results} className="scroll-quiet overflow-auto p-1.5">
            {all.map((command, index) => (
              <Option
                key={command.id}
                id={`command-${index}`}
                command={command}
                isChosen={index === current}
                onHover={() => setChosen(index)}
                onPick={() => run(command)}
              />
            ))}
          </div>
          {all.length === 0 && <p className="px-4 pb-4 text-muted">{text.nothingFound(query)}</p>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

interface OptionProps {
  readonly id: string
  readonly command: Command
  readonly isChosen: boolean
  readonly onHover: () => void
  readonly onPick: () => void
}

function Option({ id, command: { icon: Icon, label, detail, kind }, isChosen, onHover, onPick }: OptionProps) {
  return (
    <div
      id={id}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onMouseMove={onHover}
      onClick={onPick}
      onKeyDown={({ key }) => key === 'Enter' && onPick()}
      className={`flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2.5 ${isChosen ? 'bg-accent-soft text-accent-strong' : ''}`}
    >
      <Icon size={16} aria-hidden className="shrink-0 text-muted" />
      <span className="truncate font-medium">{label}</span>
      {detail !== undefined && <span className="truncate text-muted">{detail}</span>}
      <span className="ms-auto shrink-0 text-xs text-muted">{kind}</span>
      {isChosen && <CornerDownLeft size={13} aria-hidden className="shrink-0" />}
    </div>
  )
}
