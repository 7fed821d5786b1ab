// The draft filling itself while people talk: what is missing on top, then every field with where its value stands.
import type { CallSurface } from '@parley/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { Section } from '../../ui/section'
import { explain } from '../../ui/states'
import { Badge, editText, sentence, typedAs } from '../../ui/words'
import { pointing, useHighlight } from './highlight'

type DraftField = CallSurface['draftFields'][number]

export function DraftForm({ surface }: { surface: CallSurface }) {
  const { at } = usePlace()
  const { draft, draftFields } = surface
  const missing = draftFields.filter(({ state }) => state === 'missing')
  const shown = draftFields.filter(({ source }) => source === 'draft' || draft === null)
  if (draftFields.length === 0)
    return (
      <Section title={text.live.draft}>
        <p className="text-muted">{text.live.noDraft}</p>
      </Section>
    )
  const isWaiting = draft?.status === 'pending_review'
  const aside = isWaiting ? (
    <GoLink href={at('review', draft.id)} className="font-medium text-accent hover:underline">
      {text.live.toReview}
    </GoLink>
  ) : (
    draft && (
      <Badge tone={draft.status === 'approved' ? 'good' : 'neutral'}>
        {text.draftStatus[draft.status] ?? draft.status}
      </Badge>
    )
  )
  return (
    <Section title={draft?.title ?? text.live.draft} aside={aside}>
      {missing.length > 0 && (
        <p className="mb-2 flex flex-wrap items-center gap-1.5 rounded-md bg-warning-soft px-2.5 py-1.5 text-warning">
          <span className="font-medium">{text.live.missing}</span>
          {missing.map(({ key, label }) => (
            <a key={key} href={`#field-${key}`} className="underline underline-offset-2" onClick={focusField(key)}>
              {label}
            </a>
          ))}
        </p>
      )}
      <div className="grid gap-1.5">
        {[...missing, ...shown.filter(({ state }) => state !== 'missing')].map((field) => (
          <FieldRow key={field.key} field={field} surface={surface} />
        ))}
      </div>
    </Section>
  )
}

const focusField = (key: string) => (event: { preventDefault(): void }) => {
  event.preventDefault()
  document.getElementById(`field-${key}`)?.focus()
}

const isEditable = (surface: CallSurface): boolean =>
  surface.draft === null || surface.draft.status === 'draft' || surface.draft.status === 'pending_review'

/** Into the draft where there is one, else as a fact of the call. */
function useSetField(surface: CallSurface, { key, value: before }: DraftField) {
  const { parley, key: place } = usePlace()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (typed: string): Promise<unknown> => {
      const value = typedAs(before, typed)
      return surface.draft
        ? parley.drafts.update(surface.draft.id, { payload: { [key]: value } })
        : parley.calls.addFacts(surface.callId, [{ key, value, source: 'manual', status: 'confirmed', confidence: 1 }])
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: [...place, 'surface', surface.callId] }),
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
}

function FieldRow({ field, surface }: { field: DraftField; surface: CallSurface }) {
  const { point, factId } = useHighlight()
  const set = useSetField(surface, field)
  const known = editText(field.value)
  const [typed, setTyped] = useState(known)
  useEffect(() => setTyped(known), [known])
  const save = () => typed !== known && set.mutate(typed)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') event.currentTarget.blur()
    if (event.key === 'Escape') setTyped(known)
  }
  const isLit = field.factId !== null && factId === field.factId
  const edge = field.state === 'missing' ? 'border-warning-edge' : isLit ? 'border-accent' : 'border-line'
  return (
    <div {...pointing(point, field.factId)} className="grid grid-cols-[7rem_1fr] items-center gap-2">
      <label htmlFor={`field-${field.key}`} className="truncate text-muted" title={field.label}>
        {sentence(field.label)}
      </label>
      <input
        id={`field-${field.key}`}
        value={typed}
        disabled={!isEditable(surface)}
        placeholder={field.state === 'missing' ? text.live.askFor : ''}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={save}
        onKeyDown={onKeyDown}
        title={text.fieldState[field.state] ?? field.state}
        className={`h-7 min-w-0 rounded-sm border bg-surface px-2 max-sm:h-10 ${edge} ${field.state === 'proposed' ? 'text-accent' : ''}`}
      />
    </div>
  )
}
