// Values that are changed where they stand: saved on leaving the field, with the way back.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { explain } from '../../ui/states'
import { editText, sentence, typedAs } from '../../ui/words'

interface FieldsProps<R, F extends keyof R & string> {
  readonly record: R
  readonly fields: readonly F[]
  readonly save: (values: Record<string, unknown>) => Promise<unknown>
}

export function EditableFields<R extends object, F extends keyof R & string>({
  record,
  fields,
  save,
}: FieldsProps<R, F>) {
  return (
    <div className="grid gap-1.5">
      {fields.map((field) => (
        <FieldRow key={field} name={field} value={record[field]} save={save} />
      ))}
    </div>
  )
}

interface RowProps {
  readonly name: string
  readonly value: unknown
  readonly save: FieldsProps<object, never>['save']
}

function FieldRow({ name, value, save }: RowProps) {
  const { key } = usePlace()
  const queries = useQueryClient()
  const known = editText(value)
  const [typed, setTyped] = useState(known)
  useEffect(() => setTyped(known), [known])
  const saving = useMutation({
    mutationFn: (next: unknown) => save({ [name]: next }),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
    onError: (error) => {
      setTyped(known)
      toast(explain(error), { tone: 'danger' })
    },
  })
  const leave = () => {
    if (typed === known) return
    saving.mutate(typedAs(value, typed), {
      onSuccess: () => toast(text.saved(sentence(name)), { undo: () => saving.mutate(value) }),
    })
  }
  return (
    <div className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-2">
      <label htmlFor={`edit-${name}`} className="truncate text-muted">
        {text.fields[name] ?? sentence(name)}
      </label>
      <input
        id={`edit-${name}`}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={leave}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key === 'Escape') setTyped(known)
        }}
        className="h-7 min-w-0 rounded-sm border border-line bg-surface px-2 hover:border-line-strong max-sm:h-10"
      />
    </div>
  )
}
