// What a webhook is told, where to, and how fast: the form of a new one and of one that is changed.
import { type FormEvent, type ReactNode, useState } from 'react'
import { useSchema } from '../../api/schema'
import { text } from '../../text'
import { TextField } from '../../ui/field'

export interface WebhookValues {
  readonly name?: string
  readonly url: string
  readonly eventTypes: string[]
  readonly throttlePerSecond: number | null
}

interface WebhookFormProps {
  readonly values: WebhookValues
  readonly error: string | undefined
  readonly onSubmit: (values: WebhookValues) => void
  /** The button that sends it. */
  readonly children: ReactNode
}

export function WebhookForm({ values, error, onSubmit, children }: WebhookFormProps) {
  const [chosen, setChosen] = useState<readonly string[]>(values.eventTypes)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const said = (name: string) => String(form.get(name) ?? '').trim()
    onSubmit({
      ...(said('name') !== '' && { name: said('name') }),
      url: said('url'),
      eventTypes: [...chosen],
      throttlePerSecond: said('throttle') === '' ? null : Number(said('throttle')),
    })
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <TextField
        label={text.developers.url}
        type="url"
        name="url"
        required
        autoFocus
        defaultValue={values.url}
        error={error}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField label={text.developers.webhookName} name="name" maxLength={255} defaultValue={values.name ?? ''} />
        <TextField
          label={text.developers.throttle}
          name="throttle"
          type="number"
          min={1}
          max={1_000}
          defaultValue={values.throttlePerSecond ?? ''}
          hint={text.developers.throttleHint}
        />
      </div>
      <EventPicker chosen={chosen} onChange={setChosen} />
      {children}
    </form>
  )
}

interface PickerProps {
  readonly chosen: readonly string[]
  readonly onChange: (chosen: readonly string[]) => void
}

function EventPicker({ chosen, onChange }: PickerProps) {
  const eventTypes = useSchema()?.eventTypes ?? []
  const [find, setFind] = useState('')
  const toggle = (type: string) =>
    onChange(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type])
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 font-medium text-muted">{text.developers.eventTypes}</legend>
      <p className="text-muted">{text.developers.chooseTypes}</p>
      <div className="max-w-64">
        <TextField
          label={text.developers.findTypes}
          hideLabel
          type="search"
          placeholder={text.developers.findTypes}
          value={find}
          onChange={({ target }) => setFind(target.value)}
        />
      </div>
      <div className="grid gap-x-4 sm:grid-cols-2 lg:grid-cols-3">
        {eventTypes
          .filter((type) => type.includes(find.trim().toLowerCase()))
          .map((type) => (
            <label key={type} className="flex h-7 min-w-0 items-center gap-2 max-sm:h-11">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-accent"
                checked={chosen.includes(type)}
                onChange={() => toggle(type)}
              />
              <span className="truncate font-mono text-xs">{type}</span>
            </label>
          ))}
      </div>
    </fieldset>
  )
}
