// The kinds of work that the organization does: their names, statuses, and what a draft must say.
import type { WorkTypeDefinition } from '@parley/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Wrench } from 'lucide-react'
import type { FormEvent } from 'react'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { Empty, explain, Failure, Waiting } from '../../ui/states'
import { Badge, sentence } from '../../ui/words'
import { useOwnerOnly } from './use-role'

export function WorkTypes() {
  const { parley, key } = usePlace()
  const list = useQuery({
    queryKey: [...key, 'work-types'],
    queryFn: async ({ signal }) => (await parley.workTypeDefinitions.list({ limit: 100 }, { signal })).data,
  })
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <Waiting />
  if (list.data.length === 0) return <Empty icon={<Wrench size={20} />} title={text.settings.noTypes} />
  return (
    <div className="grid gap-3">
      <p className="text-muted">{text.settings.typesIntro}</p>
      {list.data.map((type) => (
        <TypeForm key={`${type.id} ${type.version}`} type={type} />
      ))}
    </div>
  )
}

const words = (said: string): string[] =>
  said
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)

function TypeForm({ type }: { type: WorkTypeDefinition }) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const why = useOwnerOnly()
  const save = useMutation({
    mutationFn: (form: FormData) => {
      const said = (name: string) => String(form.get(name) ?? '')
      const values = {
        label: said('label'),
        statuses: words(said('statuses')),
        requiredFields: words(said('requiredFields')),
      }
      return parley.workTypeDefinitions.update(
        type.id,
        { ...values, enabled: form.has('enabled') },
        { ifMatch: type.version },
      )
    },
    onSuccess: () => toast(text.settings.saved),
    onSettled: () => queries.invalidateQueries({ queryKey: [...key, 'work-types'] }),
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  return (
    <details className="rounded-md border border-line bg-surface">
      <summary className="flex items-center gap-3 px-4 py-2.5">
        <span className="flex-1 font-medium">{type.label}</span>
        <span className="font-mono text-xs text-muted">{type.canonicalKind}</span>
        <Badge tone={type.enabled ? 'good' : 'neutral'}>{type.enabled ? text.settings.on : text.settings.off}</Badge>
      </summary>
      <form onSubmit={submit} className="grid gap-4 border-t border-line p-4">
        <TextField label={text.settings.label} name="label" required defaultValue={type.label} />
        <TextField
          label={text.settings.statuses}
          name="statuses"
          hint={text.settings.listHint}
          defaultValue={type.statuses.join(', ')}
        />
        <TextField
          label={text.settings.required}
          name="requiredFields"
          hint={text.settings.requiredHint}
          defaultValue={type.requiredFields.join(', ')}
        />
        <label className="flex items-center gap-2">
          <input type="checkbox" name="enabled" defaultChecked={type.enabled} className="size-4 accent-accent" />
          {text.settings.useIt(sentence(type.label))}
        </label>
        <Button type="submit" look="primary" className="justify-self-start" because={why} disabled={save.isPending}>
          {text.save}
        </Button>
      </form>
    </details>
  )
}
