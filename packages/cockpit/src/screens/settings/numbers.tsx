// The numbers of the organization; each opens with what happens to its calls.
import { useQuery } from '@tanstack/react-query'
import { Hash, Plus } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { usePlace } from '../../api/place'
import { useOwnerOnly } from '../../api/role'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/field'
import { GoLink } from '../../ui/go-link'
import { useEndless } from '../../ui/rows'
import { Empty, explain, Failure, Waiting } from '../../ui/states'
import { Badge, Phone, sentence } from '../../ui/words'
import { NumberEditor } from './number-editor'

export function Numbers({ rest: [id] }: { rest: readonly string[] }) {
  return id === undefined ? <NumberList /> : <OneNumber id={id} />
}

function OneNumber({ id }: { id: string }) {
  const { parley, key } = usePlace()
  const number = useQuery({
    queryKey: [...key, 'numbers', 'one', id],
    queryFn: ({ signal }) => parley.phoneNumbers.get(id, { signal }),
  })
  if (number.isError) return <Failure error={number.error} onRetry={() => void number.refetch()} />
  if (number.data === undefined) return <Waiting />
  return <NumberEditor key={`${id} ${number.data.version}`} number={number.data} />
}

function NumberList() {
  const { parley, key, at } = usePlace()
  const list = useEndless([...key, 'numbers'], (page, signal) => parley.phoneNumbers.list(page, { signal }))
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  if (list.isPending) return <Waiting />
  return (
    <div className="grid max-w-3xl gap-4">
      <AddNumber />
      {list.rows.length === 0 && (
        <Empty icon={<Hash size={20} />} title={text.settings.noNumbers}>
          {text.settings.noNumbersBody}
        </Empty>
      )}
      <ul className="divide-y divide-line border-y border-line empty:border-0">
        {list.rows.map(({ id, e164, label, status, isDefault, routing }) => (
          <li key={id}>
            <GoLink
              href={at('settings', 'numbers', id)}
              className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 hover:bg-hover"
            >
              <Phone number={e164} className="font-medium" />
              <span className="min-w-0 flex-1 truncate text-muted">{label}</span>
              <span className="text-muted">{routing === null ? text.settings.notRouted : text.settings.routed}</span>
              {isDefault && <Badge tone="accent">{text.settings.default}</Badge>}
              <Badge tone={status === 'active' ? 'good' : 'neutral'}>{sentence(status)}</Badge>
            </GoLink>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button look="quiet" className="justify-self-start" onClick={() => void list.fetchNextPage()}>
          {text.timeline.more}
        </Button>
      )}
    </div>
  )
}

function AddNumber() {
  const { parley } = usePlace()
  const why = useOwnerOnly()
  const [e164, setNumber] = useState('')
  const add = useSaving(() => parley.phoneNumbers.create({ e164 }), {
    touched: 'numbers',
    said: text.settings.added,
    onSaved: () => setNumber(''),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(undefined)
  }
  return (
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
  )
}
