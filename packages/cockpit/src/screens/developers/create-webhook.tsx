// A new webhook: where to, and about what. Its secret is shown once.
import type { SubscriptionWithSecret } from '@parley/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useGo, usePlace } from '../../api/place'
import { useSchema } from '../../api/schema'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/field'
import { explain } from '../../ui/states'
import { ShownOnce } from './shown-once'

export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const { parley, key, at } = usePlace()
  const queries = useQueryClient()
  const go = useGo()
  const [url, setUrl] = useState('https://')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const eventTypes = useSchema()?.eventTypes ?? []
  const [made, setMade] = useState<SubscriptionWithSecret>()
  const create = useMutation({
    mutationFn: () => parley.webhooks.create({ url, eventTypes: [...chosen] }),
    onSuccess: (subscription) => {
      setMade(subscription)
      void queries.invalidateQueries({ queryKey: [...key, 'webhooks'] })
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  const toggle = (type: string) =>
    setChosen(chosen.includes(type) ? chosen.filter((one) => one !== type) : [...chosen, type])
  if (made) {
    const leave = () => (onClose(), go(at('developers', 'webhooks', made.id)))
    return <ShownOnce title={text.developers.secretShown} secret={made.secret} onClose={leave} />
  }
  return (
    <Dialog title={text.developers.addWebhook} isOpen wide onClose={onClose}>
      <form onSubmit={submit} className="grid gap-4">
        <TextField
          label={text.developers.url}
          type="url"
          value={url}
          required
          autoFocus
          onChange={({ target }) => setUrl(target.value)}
          error={create.error === null ? undefined : explain(create.error)}
        />
        <fieldset>
          <legend className="pb-1 font-medium text-muted">{text.developers.eventTypes}</legend>
          <p className="pb-1 text-muted">{text.developers.chooseTypes}</p>
          <div className="grid gap-x-4 sm:grid-cols-2 lg:grid-cols-3">
            {eventTypes.map((type) => (
              <label key={type} className="flex h-7 items-center gap-2 max-sm:h-11">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={chosen.includes(type)}
                  onChange={() => toggle(type)}
                />
                <span className="font-mono text-xs">{type}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <Button type="submit" look="primary" className="justify-self-end" disabled={create.isPending}>
          {text.developers.addWebhook}
        </Button>
      </form>
    </Dialog>
  )
}
