// Changes a webhook, or deletes it: then nothing is sent there any more.
import type { WebhookSubscription } from '@parley/sdk'
import { useState } from 'react'
import { useGo, usePlace } from '../../api/place'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { explain } from '../../ui/states'
import { WebhookForm, type WebhookValues } from './webhook-form'

interface EditProps {
  readonly webhook: WebhookSubscription
  readonly onClose: () => void
}

export function EditWebhook({ webhook, onClose }: EditProps) {
  const { parley, at } = usePlace()
  const go = useGo()
  const [isSure, setSure] = useState(false)
  const { id, version } = webhook
  const save = useSaving((values: WebhookValues) => parley.webhooks.update(id, values, { ifMatch: version }), {
    touched: 'webhooks',
    onSaved: onClose,
  })
  const remove = useSaving(() => parley.webhooks.delete(id), {
    touched: 'webhooks',
    said: text.developers.deleted,
    onSaved: () => (onClose(), go(at('developers', 'webhooks'))),
  })
  return (
    <Dialog title={text.developers.changeWebhook} isOpen wide onClose={onClose}>
      <WebhookForm
        values={webhook}
        error={save.error === null ? undefined : explain(save.error)}
        onSubmit={(values) => save.mutate(values)}
      >
        <div className="flex justify-between gap-2">
          <Button
            look="danger"
            disabled={remove.isPending}
            onClick={() => (isSure ? remove.mutate(undefined) : setSure(true))}
            onBlur={() => setSure(false)}
          >
            {isSure ? text.developers.deleteSure : text.developers.deleteWebhook}
          </Button>
          <Button type="submit" look="primary" disabled={save.isPending}>
            {text.save}
          </Button>
        </div>
      </WebhookForm>
    </Dialog>
  )
}
