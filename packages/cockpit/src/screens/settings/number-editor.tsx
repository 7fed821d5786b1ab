// One number: what it is called, what it runs over, and what happens when somebody calls it.
import { phoneNumberMoves, phoneNumberStatuses } from '@parley/contract/states'
import type { PhoneNumber } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { usePlace } from '../../api/place'
import { useOwnerOnly } from '../../api/role'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { CheckField, ChoiceField, TextField } from '../../ui/field'
import { RecordTools } from '../../ui/record-tools'
import { phoneText, sentence } from '../../ui/words'
import { BackLink } from './back-link'
import { newRouting, type Routing, sentRouting } from './routing'
import { RoutingForm } from './routing-form'

/** Where it is, and where it may go from there. */
const statusesFrom = (status: string): readonly string[] => {
  const known = phoneNumberStatuses.find((one) => one === status)
  return known === undefined ? [status] : [known, ...phoneNumberMoves[known]]
}

export function NumberEditor({ number }: { number: PhoneNumber }) {
  const { parley, key, at } = usePlace()
  const why = useOwnerOnly()
  const [routing, setRouting] = useState<Routing | null>(number.routing)
  const { data: connections = [] } = useQuery({
    queryKey: [...key, 'connections', 'telephony'],
    queryFn: async ({ signal }) =>
      (await parley.integrationConnections.list({ kind: 'telephony', limit: 100 }, { signal })).data,
  })
  const save = useSaving(
    (form: FormData) => {
      const said = (name: string) => String(form.get(name) ?? '')
      const values = {
        label: said('label') || null,
        isDefault: number.isDefault || form.has('isDefault'),
        integrationConnectionId: said('connection') || null,
        status: said('status') || number.status,
        routing: routing && sentRouting(routing),
      }
      return parley.phoneNumbers.update(number.id, values, { ifMatch: number.version })
    },
    { touched: 'numbers' },
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  return (
    <form onSubmit={submit} className="grid max-w-3xl gap-5">
      <BackLink href={at('settings', 'numbers')} label={text.settings.numbers} />
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="figures text-base font-semibold">{phoneText(number.e164)}</h2>
        <RecordTools slug="phone-numbers" id={number.id} />
      </header>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label={text.settings.numberLabel} name="label" maxLength={255} defaultValue={number.label ?? ''} />
        <ChoiceField
          label={text.settings.runsOver}
          name="connection"
          // The list arrives later than the number.
          key={connections.length}
          defaultValue={number.integrationConnectionId ?? ''}
          onChoose={() => undefined}
          options={[['', text.nothing], ...connections.map(({ id, name }) => [id, name] as const)]}
        />
        <ChoiceField
          label={text.settings.numberStatus}
          name="status"
          defaultValue={number.status}
          disabled={number.status === 'retired'}
          onChoose={() => undefined}
          options={statusesFrom(number.status).map((one) => [one, sentence(one)])}
          hint={text.settings.retiredHint}
        />
        <CheckField
          name="isDefault"
          label={text.settings.defaultNumber}
          defaultChecked={number.isDefault}
          disabled={number.isDefault}
          hint={text.settings.defaultHint}
        />
      </div>
      <section className="grid gap-4 border-t border-line pt-5" aria-label={text.settings.routing}>
        <h3 className="font-semibold">{text.settings.routing}</h3>
        {routing === null ? (
          <>
            <p className="text-muted">{text.settings.noRouting}</p>
            <Button className="justify-self-start" onClick={() => setRouting(newRouting())}>
              {text.settings.setRouting}
            </Button>
          </>
        ) : (
          <RoutingForm routing={routing} onChange={setRouting} onRemove={() => setRouting(null)} />
        )}
      </section>
      <Button type="submit" look="primary" className="justify-self-start" because={why} disabled={save.isPending}>
        {text.save}
      </Button>
    </form>
  )
}
