// Changes a connection: its name, its settings, and its credentials, which are replaced as a whole or left alone.
import type { IntegrationConnection } from '@parley/sdk'
import { type FormEvent, useState } from 'react'
import { usePlace } from '../../api/place'
import { useSchema } from '../../api/schema'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { CheckField, TextField } from '../../ui/field'
import { explain } from '../../ui/states'
import { SchemaFields, saidIn } from './schema-fields'

interface EditProps {
  readonly connection: IntegrationConnection
  readonly onClose: () => void
}

export function EditConnection({ connection: { id, name, provider, config, version }, onClose }: EditProps) {
  const { parley } = usePlace()
  const known = useSchema()?.providers.find((one) => one.provider === provider)
  const [isReplacing, setReplacing] = useState(false)
  const save = useSaving(
    (form: FormData) => {
      const values = {
        name: String(form.get('name') ?? ''),
        ...(known && { config: saidIn(form, 'config.', known.config) }),
        ...(known && isReplacing && { credentials: saidIn(form, 'credentials.', known.credentials) }),
      }
      return parley.integrationConnections.update(id, values, { ifMatch: version })
    },
    { touched: 'connections', onSaved: onClose },
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  return (
    <Dialog title={text.developers.change} isOpen onClose={onClose}>
      <form onSubmit={submit} className="grid gap-4">
        <TextField label={text.developers.connectionName} name="name" required maxLength={255} defaultValue={name} />
        {known && <SchemaFields prefix="config." schema={known.config} values={config} />}
        {known && (
          <CheckField
            label={text.developers.replaceCredentials}
            checked={isReplacing}
            onChange={({ target }) => setReplacing(target.checked)}
          />
        )}
        {known && isReplacing && <SchemaFields prefix="credentials." schema={known.credentials} isSecret />}
        {save.error !== null && (
          <p role="alert" className="text-danger">
            {explain(save.error)}
          </p>
        )}
        <Button type="submit" look="primary" className="justify-self-end" disabled={save.isPending}>
          {text.save}
        </Button>
      </form>
    </Dialog>
  )
}
