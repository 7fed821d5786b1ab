// The form as whoever answers the phone will see it, beside the builder that makes it.
import { text } from '../../text'
import { CheckField, ChoiceField, TextField } from '../../ui/field'
import { keyed, type WorkField } from './work-fields'

export function LiveForm({ title, fields }: { title: string; fields: readonly WorkField[] }) {
  return (
    <section
      aria-label={text.settings.liveForm}
      className="grid gap-3 self-start rounded-md border border-line bg-surface p-4 lg:sticky lg:top-0"
    >
      <div>
        <h3 className="text-base font-semibold">{title}</h3>
        <p className="text-xs text-muted">{text.settings.liveFormHint}</p>
      </div>
      {fields.length === 0 && <p className="text-muted">{text.settings.noFields}</p>}
      {keyed(fields).map((field) => (
        <LiveField key={field.id} field={field} />
      ))}
    </section>
  )
}

const types: Readonly<Record<string, string>> = {
  number: 'number',
  integer: 'number',
  date: 'date',
  dateTime: 'datetime-local',
  phone: 'tel',
  email: 'email',
  link: 'url',
}

function LiveField({ field: { title, kind, isRequired, options } }: { field: WorkField }) {
  const name = title.trim() || text.settings.newField
  const label = isRequired ? text.settings.requiredLabel(name) : name
  if (kind === 'yesNo') return <CheckField label={label} />
  if (kind === 'choice') {
    const values = [...new Set(options.map((one) => one.trim()).filter(Boolean))]
    const choices = values.map((one): readonly [string, string] => [one, one])
    return <ChoiceField label={label} onChoose={() => undefined} options={[['', text.nothing], ...choices]} />
  }
  return <TextField label={label} type={types[kind] ?? 'text'} step={kind === 'number' ? 'any' : undefined} />
}
