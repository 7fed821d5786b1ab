// A new webhook. Its secret is shown once.

import type { SubscriptionWithSecret } from '@parley/sdk'
import { useState } from 'react'
import { useGo, usePlace } from '../../api/place'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { explain } from '../../ui/states'
import { ShownOnce } from './shown-once'
import { WebhookForm, type WebhookValues } from './webhook-form'

const blank: WebhookValues = { url: 'https://', eventTypes: [], throttlePerSecond: null }

export function CreateWebhook({ onClose }: { onClose: () => void }) {
  const { parley, at } = usePlace()
  const go = useGo()
  const [made, setMade] = useState<SubscriptionWithSecret>()
  const create = useSaving((values: WebhookValues) => parley.webhooks.create(values), {
    touched: 'webhooks',
    said: null,
    onSaved: setMade,
  })
  if (made) {
    const leave = () => (onClose(), go(at('developers', 'webhooks', made.id)))
    return <ShownOnce title={text.developers.secretShown} secret={made.secret} onClose={leave} />
  }
  return (
    <Dialog title={text.developers.addWebhook} isOpen wide onClose={onClose}>
      <WebhookForm
        values={blank}
        error={create.error === null ? undefined : explain(create.error)}
        onSubmit={(values) => create.mutate(values)}
      >
        <Button type="submit" look="primary" className="justify-self-end" disabled={create.isPending}>
          {text.developers.addWebhook}
        </Button>
      </WebhookForm>
    </Dialog>
  )
}
