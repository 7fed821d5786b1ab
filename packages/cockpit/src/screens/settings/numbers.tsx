// The numbers of the organization.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Hash, Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { Empty, explain, Failure, Waiting } from '../../ui/states'
import { Badge, Phone, sentence } from '../../ui/words'
import { useOwnerOnly } from './use-role'

export function Numbers() {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const why = useOwnerOnly()
  const [e164, setNumber] = useState('')
  const list = useQuery({
    queryKey: [...key, 'numbers'],
    queryFn: async ({ signal }) => (await parley.phoneNumbers.list({ limit: 100 }, { signal })).data,
  })
  const add = useMutation({
    mutationFn: () => parley.phoneNumbers.create({ e164 }),
    onSuccess: () => {
      setNumber('')
      return queries.invalidateQueries({ queryKey: [...key, 'numbers'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate()
  }
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.data === undefined) return <Waiting />
  return (
    <div className="grid gap-4">
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <div className="w-64">
          <TextField
            label={text.settings.number}
            type="tel"
            value={e164}
            required
            placeholder="+1 555 010 0200"
            onChange={({ target }) => setNumber(target.value)}
            error={add.error === null ? undefined : explain(add.error)}
          />
        </div>
        <Button type="submit" icon={<Plus size={15} aria-hidden />} because={why} disabled={add.isPending}>
          {text.settings.addNumber}
        </Button>
      </form>
      {list.data.length === 0 ? (
        <Empty icon={<Hash size={20} />} title={text.settings.noNumbers}>
          {text.settings.noNumbersBody}
        </Empty>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {list.data.map(({ id, e164: number, label, status, isDefault }) => (
            <li key={id} className="flex items-center gap-4 py-2.5">
              <Phone number={number} className="font-medium" />
              <span className="min-w-0 flex-1 truncate text-muted">{label}</span>
              {isDefault && <Badge tone="accent">{text.settings.default}</Badge>}
              <Badge tone={status === 'active' ? 'good' : 'neutral'}>{sentence(status)}</Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
