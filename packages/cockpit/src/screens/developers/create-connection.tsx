// A new connection: which system it is to, and what that system wants to know.
import { type FormEvent, useState } from 'react'
import { useGo, usePlace } from '../../api/place'
import { useSchema } from '../../api/schema'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ChoiceField, TextField } from '../../ui/field'
import { explain } from '../../ui/states'
import { SchemaFields, saidIn } from './schema-fields'

export function CreateConnection({ onClose }: { onClose: () => void }) {
  const { parley, at } = usePlace()
  const go = useGo()
  const providers = useSchema()?.providers ?? []
  const [named, setProvider] = useState('')
  const chosen = providers.find(({ provider }) => provider === named) ?? providers[0]
  const create = useSaving(
    (form: FormData) =>
      parley.integrationConnections.create({
        provider: chosen?.provider ?? '',
        name: String(form.get('name') ?? ''),
        config: saidIn(form, 'config.', chosen?.config ?? {}),
        credentials: saidIn(form, 'credentials.', chosen?.credentials ?? {}),
      }),
    {
      touched: 'connections',
      said: text.settings.added,
      onSaved: ({ id }) => (onClose(), go(at('developers', 'connections', id))),
    },
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    create.mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={text.developers.addConnection} isOpen onClose={onClose}>
      {chosen && (
        <form key={chosen.provider} onSubmit={submit} className="grid gap-4">
          <ChoiceField
            label={text.developers.provider}
            value={chosen.provider}
            onChoose={setProvider}
            options={providers.map(({ provider, label }) => [provider, label])}
          />
          <TextField
            label={text.developers.connectionName}
            name="name"
            required
            maxLength={255}
            defaultValue={chosen.label}
          />
          <SchemaFields prefix="config." schema={chosen.config} />
          <SchemaFields prefix="credentials." schema={chosen.credentials} isSecret />
          <p className="text-xs text-muted">{text.developers.credentialsKept}</p>
          {create.error !== null && (
            <p role="alert" className="text-danger">
              {explain(create.error)}
            </p>
          )}
          <Button type="submit" look="primary" className="justify-self-end" disabled={create.isPending}>
            {text.developers.addConnection}
          </Button>
        </form>
      )}
    </Dialog>
  )
}
