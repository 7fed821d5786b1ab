// Webhooks of this environment, and how each is doing.
import type { WebhookSubscription } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { Body } from '../../ui/page'
import { Empty, Failure, Waiting } from '../../ui/states'
import { Badge } from '../../ui/words'
import { CreateWebhook } from './create-webhook'
import { subscriptionTones } from './status-tones'

export function Webhooks() {
  const { parley, key } = usePlace()
  const [isCreating, setCreating] = useState(false)
  const list = useQuery({
    queryKey: [...key, 'webhooks'],
    queryFn: async ({ signal }) => (await parley.webhooks.list({ limit: 100 }, { signal })).data,
  })
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  const create = (
    <Button look="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setCreating(true)}>
      {text.developers.addWebhook}
    </Button>
  )
  return (
    <Body>
      {list.data.length === 0 ? (
        <Empty icon={<Webhook size={20} />} title={text.developers.noWebhooks} action={create}>
          {text.developers.noWebhooksBody}
        </Empty>
      ) : (
        <div className="grid max-w-4xl gap-4">
          <div className="flex items-center justify-between gap-4">
            <p className="text-muted">{text.developers.webhooksIntro}</p>
            {create}
          </div>
          <ul className="divide-y divide-line border-y border-line">
            {list.data.map((one) => (
              <WebhookRow key={one.id} webhook={one} />
            ))}
          </ul>
        </div>
      )}
      {isCreating && <CreateWebhook onClose={() => setCreating(false)} />}
    </Body>
  )
}

function WebhookRow({ webhook }: { webhook: WebhookSubscription }) {
  const { at } = usePlace()
  const { id, name, url, status, eventTypes, createdAt } = webhook
  return (
    <li>
      <GoLink
        href={at('developers', 'webhooks', id)}
        className="flex flex-wrap items-center gap-x-4 gap-y-1 px-1 py-2.5 hover:bg-hover"
      >
        <span className="min-w-0 flex-1 basis-60">
          <span className="block truncate font-medium">{name}</span>
          <span className="block truncate font-mono text-xs text-muted">{url}</span>
        </span>
        <span className="text-muted">
          {eventTypes.length === 0 ? text.developers.standardTypes : text.developers.types(eventTypes.length)}
        </span>
        <Badge tone={subscriptionTones[status] ?? 'neutral'}>{text.developers.webhookStatus[status] ?? status}</Badge>
        <Moment at={createdAt} className="text-xs text-muted" />
      </GoLink>
    </li>
  )
}
