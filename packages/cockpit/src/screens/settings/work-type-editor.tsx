// One kind of work: what it is called, how it is recognised, the steps it goes through, and its form.
import type { WorkTypeDefinition } from '@parley/sdk'
import { type FormEvent, useState } from 'react'
import { usePlace } from '../../api/place'
import { useOwnerOnly } from '../../api/role'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { AreaField, CheckField, TextField } from '../../ui/field'
import { RecordTools } from '../../ui/record-tools'
import { BackLink } from './back-link'
import { FieldBuilder } from './field-builder'
import { fromLines, toLines } from './lines'
import { LiveForm } from './live-form'
import { definitionOf, fieldsOf, problemWith } from './work-fields'

export function WorkTypeEditor({ type }: { type: WorkTypeDefinition }) {
  const { parley, at } = usePlace()
  const why = useOwnerOnly()
  const [fields, setFields] = useState(() => fieldsOf(type))
  const [label, setLabel] = useState(type.label)
  const problem = problemWith(fields, text.settings.fieldProblems)
  const save = useSaving(
    (form: FormData) => {
      const said = (name: string) => String(form.get(name) ?? '')
      const values = {
        label,
        enabled: form.has('enabled'),
        hints: fromLines(said('hints')),
        statuses: fromLines(said('statuses')),
        stages: fromLines(said('stages')),
        ...definitionOf(fields, type),
      }
      return parley.workTypeDefinitions.update(type.id, values, { ifMatch: type.version })
    },
    { touched: 'work-types' },
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  return (
    <div className="grid max-w-5xl gap-4">
      <BackLink href={at('settings', 'types')} label={text.settings.types} />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <form onSubmit={submit} className="grid min-w-0 gap-5">
          <header className="flex flex-wrap items-center justify-between gap-2">
            <h2 className="min-w-0 truncate text-base font-semibold">{label}</h2>
            <RecordTools slug="work-type-definitions" id={type.id} />
          </header>
          <TextField
            label={text.settings.label}
            value={label}
            required
            maxLength={255}
            onChange={({ target }) => setLabel(target.value)}
          />
          <CheckField name="enabled" label={text.settings.useIt} defaultChecked={type.enabled} />
          <FieldBuilder fields={fields} onChange={setFields} />
          <AreaField
            label={text.settings.workHints}
            hint={text.settings.workHintsHint}
            name="hints"
            defaultValue={toLines(type.hints)}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <AreaField
              label={text.settings.statuses}
              hint={text.settings.inOrder}
              name="statuses"
              defaultValue={toLines(type.statuses)}
            />
            <AreaField
              label={text.settings.stages}
              hint={text.settings.inOrder}
              name="stages"
              defaultValue={toLines(type.stages)}
            />
          </div>
          <Button
            type="submit"
            look="primary"
            className="justify-self-start"
            because={why ?? problem}
            disabled={save.isPending}
          >
            {text.save}
          </Button>
          {problem !== undefined && <p className="text-warning">{problem}</p>}
        </form>
        <LiveForm title={label} fields={fields} />
      </div>
    </div>
  )
}
