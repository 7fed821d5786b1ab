// The fields of a draft: proposed, what is known today, and the evidence. Edits are kept until the decision is sent.
import type { CallSurface, Draft, Fact } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { Ban, Undo2 } from 'lucide-react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { clock } from '../../ui/moment'
import { Confidence, editText, sentence, valueText } from '../../ui/words'
import type { Changes } from './draft-detail'

interface FieldsProps {
  readonly draft: Draft
  readonly surface: CallSurface
  readonly isOpen: boolean
  readonly changes: Changes
  readonly onChange: (changes: Changes) => void
}

export function ProposedFields({ surface, isOpen, changes, onChange }: FieldsProps) {
  const current = useCurrentValues(surface)
  const missing = surface.draftFields.filter(({ state, key }) => state === 'missing' && !changes.values[key])
  return (
    <div className="px-4 py-4 sm:px-6">
      {missing.length > 0 && isOpen && (
        <p className="mb-3 rounded-md bg-warning-soft px-3 py-2 text-warning">
          <span className="font-medium">{text.live.missing}</span> {missing.map(({ label }) => label).join(', ')}
        </p>
      )}
      <div className="hidden grid-cols-[9rem_minmax(0,1fr)_minmax(0,0.7fr)] gap-x-4 pb-1 text-xs font-medium text-muted md:grid">
        <span>{text.review.field}</span>
        <span>{text.review.proposed}</span>
        <span>{text.review.current}</span>
      </div>
      <div className="divide-y divide-line border-y border-line">
        {surface.draftFields.map((field) => (
          <FieldRow
            key={field.key}
            field={field}
            fact={surface.facts.find(({ id }) => id === field.factId)}
            current={current(field.key, field.value)}
            {...{ isOpen, changes, onChange }}
          />
        ))}
      </div>
    </div>
  )
}

/** What is known of the caller without this draft: of the person, and of facts that were confirmed before. */
function useCurrentValues({ person, callId }: CallSurface): (key: string, proposed: unknown) => unknown {
  const { parley, key } = usePlace()
  const personId = person?.id ?? ''
  const { data = [] } = useQuery<Fact[]>({
    queryKey: [...key, 'facts', 'of', personId],
    queryFn: async ({ signal }) => {
      const asked = { subjectId: [personId], status: ['confirmed', 'promoted'], limit: 100 }
      return [...(await parley.facts.list(asked, { signal })).data]
    },
    enabled: personId !== '',
  })
  return (name) => {
    const known = data.find((fact) => fact.key === name && fact.sourceCallSessionId !== callId)
    const own = { display_name: person?.displayName, email: person?.primaryEmail, phone: person?.primaryPhone }
    return known?.value ?? Object.entries(own).find(([key]) => key === name)?.[1] ?? null
  }
}

interface RowProps extends Pick<FieldsProps, 'isOpen' | 'changes' | 'onChange'> {
  readonly field: CallSurface['draftFields'][number]
  readonly fact: CallSurface['facts'][number] | undefined
  readonly current: unknown
}

function FieldRow({ field, fact, current, isOpen, changes, onChange }: RowProps) {
  const known = editText(field.value)
  const value = changes.values[field.key] ?? known
  const isRefused = fact !== undefined && changes.refused.includes(fact.id)
  const isChanged = value !== known
  const set = (typed: string) => {
    const { [field.key]: _, ...others } = changes.values
    onChange({ ...changes, values: typed === known ? others : { ...others, [field.key]: typed } })
  }
  const toggle = () => {
    if (fact === undefined) return
    const refused = isRefused ? changes.refused.filter((id) => id !== fact.id) : [...changes.refused, fact.id]
    onChange({ ...changes, refused })
  }
  const quote = fact?.evidence[0]
  const isFact = field.source === 'fact' && fact?.status === 'proposed'
  return (
    <div className="grid items-start gap-x-4 gap-y-1 py-2 md:grid-cols-[9rem_minmax(0,1fr)_minmax(0,0.7fr)]">
      <label htmlFor={`draft-${field.key}`} className="flex items-center gap-2 pt-1.5 text-muted">
        {sentence(field.label)} <Confidence value={field.confidence} />
      </label>
      <div className="min-w-0">
        <div className="flex gap-1">
          <textarea
            rows={1}
            id={`draft-${field.key}`}
            data-draft-field
            value={value}
            disabled={!isOpen}
            onChange={({ target }) => set(target.value)}
            onKeyDown={(event) => (event.key === 'Enter' || event.key === 'Escape') && event.currentTarget.blur()}
            className={`field-sizing-content min-h-8 w-full min-w-0 resize-none rounded-md border bg-surface px-2.5 py-1 max-sm:min-h-11 max-sm:py-2.5 ${field.state === 'missing' && value === '' ? 'border-warning-edge' : isChanged ? 'border-accent' : 'border-line'} ${isRefused ? 'text-muted line-through' : ''}`}
          />
          {isOpen && isFact && (
            <button
              type="button"
              onClick={toggle}
              aria-pressed={isRefused}
              aria-label={isRefused ? text.accept(field.label) : text.reject(field.label)}
              title={isRefused ? text.accept(field.label) : text.reject(field.label)}
              className="grid size-8 shrink-0 place-items-center rounded-md text-muted hover:bg-hover max-sm:size-11"
            >
              {isRefused ? <Undo2 size={15} aria-hidden /> : <Ban size={15} aria-hidden />}
            </button>
          )}
        </div>
        {quote && (
          <blockquote className="pt-1 ps-2.5 text-muted">
            “{quote.quote}”{' '}
            {quote.startMs !== null && <span className="figures text-xs">{clock(quote.startMs / 1_000)}</span>}
          </blockquote>
        )}
      </div>
      <div className="min-w-0 truncate pt-1.5 text-muted max-md:text-xs" title={valueText(current)}>
        <span className="md:hidden">{text.review.current}: </span>
        {valueText(current)}
      </div>
    </div>
  )
}
