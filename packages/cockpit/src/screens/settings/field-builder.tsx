// The form builder: the fields of a kind of work in the order of its form. Every row is a few ordinary fields, and
// buttons move it, so that the keyboard does all of it.
import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { AreaField, CheckField, ChoiceField, TextField } from '../../ui/field'
import { fieldKinds, keyed, moved, newField, type WorkField } from './work-fields'

interface BuilderProps {
  readonly fields: readonly WorkField[]
  readonly onChange: (fields: readonly WorkField[]) => void
}

export function FieldBuilder({ fields, onChange }: BuilderProps) {
  const list = useRef<HTMLOListElement>(null)
  /** Where the focus goes once the change is drawn: it follows the row that was moved or added. */
  const next = useRef('')
  useEffect(() => {
    if (next.current === '') return
    list.current?.querySelector<HTMLElement>(next.current)?.focus()
    next.current = ''
  }, [fields])
  const keys = keyed(fields).map(({ key }) => key)
  const move = (index: number, by: -1 | 1) => {
    const to = index + by
    const isLast = to === 0 || to === fields.length - 1
    next.current = `li:nth-child(${to + 1}) [data-move="${isLast ? -by : by}"]`
    onChange(moved(fields, index, by))
  }
  const add = () => {
    next.current = `li:nth-child(${fields.length + 1}) input`
    onChange([...fields, newField()])
  }
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 font-semibold">{text.settings.fields}</legend>
      {fields.length === 0 && <p className="text-muted">{text.settings.noFields}</p>}
      <ol ref={list} className="grid gap-2">
        {fields.map((field, index) => (
          <FieldRow
            key={field.id}
            field={field}
            keyName={keys[index] ?? ''}
            isFirst={index === 0}
            isLast={index === fields.length - 1}
            onChange={(changed) => onChange(fields.with(index, { ...field, ...changed }))}
            onMove={(by) => move(index, by)}
            onRemove={() => onChange(fields.toSpliced(index, 1))}
          />
        ))}
      </ol>
      <Button className="justify-self-start" icon={<Plus size={15} aria-hidden />} onClick={add}>
        {text.settings.addField}
      </Button>
    </fieldset>
  )
}

interface RowProps {
  readonly field: WorkField
  readonly keyName: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onChange: (changed: Partial<WorkField>) => void
  readonly onMove: (by: -1 | 1) => void
  readonly onRemove: () => void
}

function FieldRow({ field, keyName, isFirst, isLast, onChange, onMove, onRemove }: RowProps) {
  const { title, kind, isRequired, options } = field
  const name = title.trim() || text.settings.newField
  const kinds = kind === 'other' ? (['other'] as const) : fieldKinds
  return (
    <li className="grid gap-2 rounded-md border border-line bg-surface p-3">
      <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <TextField
          label={text.settings.fieldName}
          value={title}
          required
          maxLength={255}
          disabled={kind === 'learned' && field.key !== ''}
          onChange={({ target }) => onChange({ title: target.value })}
          hint={<code className="font-mono">{keyName}</code>}
        />
        <ChoiceField
          label={text.settings.fieldKind}
          value={kind}
          disabled={kind === 'other'}
          onChoose={(chosen) => onChange({ kind: fieldKinds.find((one) => one === chosen) ?? kind })}
          options={kinds.map((one) => [one, text.settings.fieldKinds[one]])}
        />
      </div>
      {kind === 'choice' && (
        <AreaField
          label={text.settings.options}
          hint={text.settings.onePerLine}
          value={options.join('\n')}
          rows={Math.max(2, options.length)}
          onChange={({ target }) => onChange({ options: target.value.split('\n') })}
        />
      )}
      <div className="flex flex-wrap items-center gap-1">
        <CheckField
          label={text.settings.isRequired}
          checked={isRequired}
          onChange={({ target }) => onChange({ isRequired: target.checked })}
        />
        <span className="ms-auto flex gap-1">
          <Button
            look="quiet"
            data-move="-1"
            aria-label={text.settings.moveUp(name)}
            icon={<ArrowUp size={15} aria-hidden />}
            disabled={isFirst}
            onClick={() => onMove(-1)}
          />
          <Button
            look="quiet"
            data-move="1"
            aria-label={text.settings.moveDown(name)}
            icon={<ArrowDown size={15} aria-hidden />}
            disabled={isLast}
            onClick={() => onMove(1)}
          />
          <Button
            look="quiet"
            aria-label={text.settings.removeField(name)}
            icon={<Trash2 size={15} aria-hidden />}
            onClick={onRemove}
          />
        </span>
      </div>
    </li>
  )
}
