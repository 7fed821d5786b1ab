// “Try it on this sentence”: what would be found in it by the definitions as they are saved. Nothing is stored.
import type { ExtractionPreview } from '@parley/sdk'
import { useMutation } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { AreaField } from '../../ui/field'
import { explain } from '../../ui/states'
import { Confidence, sentence, valueText } from '../../ui/words'

export function TrySentence() {
  const { parley } = usePlace()
  const [said, setSaid] = useState('')
  const preview = useMutation({
    mutationFn: () => parley.extractions.preview({ segments: [{ speaker: 'caller', text: said }] }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    preview.mutate()
  }
  return (
    <section aria-label={text.settings.tryTitle} className="grid gap-3 rounded-md border border-line bg-surface p-4">
      <form onSubmit={submit} className="grid gap-3">
        <AreaField
          label={text.settings.tryTitle}
          value={said}
          required
          rows={2}
          maxLength={8_000}
          placeholder={text.settings.tryExample}
          onChange={({ target }) => setSaid(target.value)}
          error={preview.error === null ? undefined : explain(preview.error)}
        />
        <Button
          type="submit"
          className="justify-self-start"
          icon={<Sparkles size={15} aria-hidden />}
          disabled={preview.isPending}
        >
          {text.settings.tryIt}
        </Button>
      </form>
      <div role="status">{preview.data && <Found found={preview.data} />}</div>
    </section>
  )
}

function Found({ found: { facts, signals, draft } }: { found: ExtractionPreview }) {
  const own = draft.fields.filter(({ key }) => !facts.some((fact) => fact.key === key))
  if (facts.length + signals.length + own.length === 0)
    return <p className="text-muted">{text.settings.nothingFound}</p>
  return (
    <dl className="grid gap-2">
      {[...facts, ...own].map(({ key, label, value, confidence, evidence }) => (
        <Row key={key} name={label} quotes={evidence} confidence={confidence}>
          {valueText(value)}
        </Row>
      ))}
      {signals.map(({ kind, confidence, evidence }) => (
        <Row key={kind} name={text.settings.signal} quotes={evidence} confidence={confidence}>
          {sentence(kind)}
        </Row>
      ))}
    </dl>
  )
}

interface RowProps {
  readonly name: string
  readonly quotes: readonly { readonly quote: string }[]
  readonly confidence: number
  readonly children: ReactNode
}

const Row = ({ name, quotes, confidence, children }: RowProps) => (
  <div className="grid gap-x-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
    <dt className="flex items-center gap-2 text-muted">
      <span className="min-w-0 truncate">{sentence(name)}</span> <Confidence value={confidence} />
    </dt>
    <dd className="min-w-0">
      <span className="font-medium break-words">{children}</span>
      {quotes.length > 0 && <q className="ms-2 text-muted italic">{quotes.map(({ quote }) => quote).join(' … ')}</q>}
    </dd>
  </div>
)
