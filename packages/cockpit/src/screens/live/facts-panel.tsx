// Facts beside the transcript: each with how sure it is, accepted, edited or rejected in place.
import { factMoves } from '@parley/contract/states'
import type { CallSurface } from '@parley/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, Pencil, X } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Section } from '../../ui/section'
import { explain } from '../../ui/states'
import { Confidence, sentence, typedAs, valueText } from '../../ui/words'
import type { SurfaceFact } from './fact-marks'
import { pointing, showWords, useHighlight } from './highlight'

export function FactsPanel({ surface }: { surface: CallSurface }) {
  const shown = surface.facts.filter(({ status }) => status !== 'superseded' && status !== 'rejected')
  return (
    <Section title={text.live.facts}>
      {shown.length === 0 && <p className="text-muted">{text.live.noFacts}</p>}
      <ul className="-mx-2">
        {shown.map((fact) => (
          <FactRow key={fact.id} fact={fact} callId={surface.callId} />
        ))}
      </ul>
    </Section>
  )
}

/** The moves on a fact, each of which shows in the surface by itself. */
function useFactMoves(fact: SurfaceFact, callId: string) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const onSuccess = () => queries.invalidateQueries({ queryKey: [...key, 'surface', callId] })
  const onError = (error: unknown) => toast(explain(error), { tone: 'danger' })
  const accept = useMutation({ mutationFn: () => parley.facts.confirm(fact.id), onSuccess, onError })
  const reject = useMutation({ mutationFn: () => parley.facts.reject(fact.id), onSuccess, onError })
  const edit = useMutation({
    mutationFn: (value: string) => {
      const { key, subjectType, subjectId } = fact
      const corrected = { key, subjectType, subjectId, value: typedAs(fact.value, value), source: 'manual' }
      return parley.calls.addFacts(callId, [{ ...corrected, status: 'confirmed', confidence: 1 }])
    },
    onSuccess,
    onError,
  })
  return { accept, reject, edit }
}

function FactRow({ fact, callId }: { fact: SurfaceFact; callId: string }) {
  const { factId, point } = useHighlight()
  const [isEditing, setEditing] = useState(false)
  const { accept, reject, edit } = useFactMoves(fact, callId)
  const isOpen = factMoves.confirm.from.some((status) => status === fact.status)
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    edit.mutate(String(new FormData(event.currentTarget).get('value')))
    setEditing(false)
  }
  const label = fact.label ?? sentence(fact.key)
  return (
    <li
      {...pointing(point, fact.id)}
      className={`group appear flex min-h-11 items-center gap-2 rounded-md px-2 py-1 ${factId === fact.id ? 'bg-accent-soft' : 'hover:bg-hover'}`}
    >
      {isEditing ? (
        <form onSubmit={save} className="min-w-0 flex-1">
          <label className="text-xs text-muted">
            {label}
            <input
              name="value"
              autoFocus
              defaultValue={valueText(fact.value)}
              onKeyDown={({ key }) => key === 'Escape' && setEditing(false)}
              className="block h-7 w-full rounded-sm border border-line-strong bg-surface px-2 text-sm text-ink"
            />
          </label>
        </form>
      ) : (
        <button type="button" onClick={() => showWords(fact.id)} className="min-w-0 flex-1 text-start">
          <span className="flex items-center gap-2 text-xs text-muted">
            {label} <Confidence value={fact.confidence} />
          </span>
          <span className="block truncate font-medium" title={valueText(fact.value)}>
            {valueText(fact.value)}
          </span>
        </button>
      )}
      {isOpen ? (
        <span className="flex shrink-0">
          <Act label={text.accept(label)} onAct={() => accept.mutate()} icon={<Check size={15} aria-hidden />} good />
          <Act label={text.edit(label)} onAct={() => setEditing(!isEditing)} icon={<Pencil size={14} aria-hidden />} />
          <Act label={text.reject(label)} onAct={() => reject.mutate()} icon={<X size={15} aria-hidden />} />
        </span>
      ) : (
        <Check size={15} className="shrink-0 text-good" aria-label={text.accepted} role="img" />
      )}
    </li>
  )
}

interface ActProps {
  readonly label: string
  readonly onAct: () => void
  readonly icon: React.ReactNode
  readonly good?: boolean
}

const Act = ({ label, onAct, icon, good = false }: ActProps) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    onClick={onAct}
    className={`grid size-7 place-items-center rounded-md text-muted hover:bg-surface max-sm:size-10 ${good ? 'hover:text-good' : 'hover:text-ink'}`}
  >
    {icon}
  </button>
)
