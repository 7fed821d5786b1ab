// Which webhooks reach their receivers.
import type { Stats } from '@parley/sdk'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { GoLink } from '../../ui/go-link'
import { Badge } from '../../ui/words'
import { hrefOfRows } from './rows-behind'

export function WebhookHealth({ webhooks }: { webhooks: Stats['totals']['webhooks'] }) {
  const place = usePlace()
  return (
    <section>
      <h2 className="pb-2 font-semibold">{text.overview.webhooks}</h2>
      {webhooks.length === 0 && <p className="text-muted">{text.developers.noWebhooks}</p>}
      <ul className="divide-y divide-line">
        {webhooks.map(({ id, name, status, failing }) => (
          <li key={id} className="flex items-center justify-between gap-3 py-1.5">
            <GoLink href={place.at('developers', 'webhooks', id)} className="truncate py-0.5 hover:underline">
              {name}
            </GoLink>
            {failing.value > 0 ? (
              <GoLink href={hrefOfRows(place, failing.rows)} className="rounded-full py-0.5 hover:underline">
                <Badge tone="danger">{text.overview.failing(failing.value)}</Badge>
              </GoLink>
            ) : (
              <Badge tone={status === 'active' ? 'good' : 'warning'}>
                {text.developers.webhookStatus[status] ?? status}
              </Badge>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
