// What the forms of facts and signals share: the way back, the head, key and label, saving, deleting, and the sentence
// to try it on.
import { Trash2 } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useGo, usePlace } from '../../api/place'
import { useWritersOnly } from '../../api/role'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { RecordTools } from '../../ui/record-tools'
import { BackLink } from './back-link'
import { TrySentence } from './try-sentence'

interface FrameProps {
  readonly slug: 'fact-definitions' | 'signal-definitions'
  readonly definition: { readonly id: string; readonly key: string; readonly label: string } | undefined
  readonly heading: string
  /** `said` reads what stands in a field of the form. */
  readonly send: (said: (name: string) => string) => Promise<{ readonly id: string }>
  readonly remove: (id: string) => Promise<unknown>
  readonly children: ReactNode
}

export function DefinitionFrame({ slug, definition, heading, send, remove, children }: FrameProps) {
  const { at } = usePlace()
  const go = useGo()
  const why = useWritersOnly()
  const list = at('settings', 'definitions')
  const kind = slug === 'fact-definitions' ? 'facts' : 'signals'
  const save = useSaving((form: FormData) => send((name) => String(form.get(name) ?? '')), {
    touched: 'definitions',
    onSaved: ({ id }) => definition ?? go(at('settings', 'definitions', kind, id), { replace: true }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  return (
    <div className="grid max-w-3xl gap-5">
      <BackLink href={list} label={text.settings.definitions} />
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="min-w-0 truncate text-base font-semibold">{definition?.label ?? heading}</h2>
        {definition && <RecordTools slug={slug} id={definition.id} />}
      </header>
      <form onSubmit={submit} className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={text.settings.key}
          name="key"
          required
          disabled={definition !== undefined}
          defaultValue={definition?.key}
          hint={text.settings.keyHint}
        />
        <TextField label={text.settings.label} name="label" required defaultValue={definition?.label} />
        {children}
        <div className="flex flex-wrap items-center justify-between gap-2 sm:col-span-2">
          <Button type="submit" look="primary" because={why} disabled={save.isPending}>
            {text.save}
          </Button>
          {definition && <Remove because={why} send={() => remove(definition.id)} onRemoved={() => go(list)} />}
        </div>
      </form>
      <TrySentence />
    </div>
  )
}

interface RemoveProps {
  readonly because: string | undefined
  readonly send: () => Promise<unknown>
  readonly onRemoved: () => void
}

function Remove({ because, send, onRemoved }: RemoveProps) {
  const [isSure, setSure] = useState(false)
  const remove = useSaving(send, { touched: 'definitions', said: text.settings.removed, onSaved: onRemoved })
  return (
    <Button
      look="danger"
      icon={<Trash2 size={14} aria-hidden />}
      because={because}
      disabled={remove.isPending}
      onClick={() => (isSure ? remove.mutate(undefined) : setSure(true))}
      onBlur={() => setSure(false)}
    >
      {isSure ? text.settings.removeSure : text.settings.remove}
    </Button>
  )
}
