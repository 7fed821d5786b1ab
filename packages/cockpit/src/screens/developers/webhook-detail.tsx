// One webhook: test it, pause it, and every delivery as it goes out.
import { canMove, type SubscriptionStatus, subscriptionMoves, subscriptionStatuses } from '@parley/contract/states'
import type { Delivery, WebhookSubscription } from '@parley/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { History, Pause, Pencil, Play, RotateCcwKey, Send } from 'lucide-react'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { GoLink } from '../../ui/go-link'
import { Moment } from '../../ui/moment'
import { RecordTools } from '../../ui/record-tools'
import { explain, Failure, Waiting } from '../../ui/states'
import { Badge } from '../../ui/words'
import { DeliveryPanel } from './delivery-panel'
import { EditWebhook } from './edit-webhook'
import { ReplayWindow } from './replay-window'
import { ShownOnce } from './shown-once'
import { StatusLog } from './status-log'
import { deliveryTones, subscriptionTones } from './status-tones'

export function WebhookDetail({ webhookId, deliveryId }: { webhookId: string; deliveryId: string | undefined }) {
  const { parley, key } = usePlace()
  const webhook = useQuery({
    queryKey: [...key, 'webhooks', webhookId],
    queryFn: ({ signal }) => parley.webhooks.get(webhookId, { signal }),
  })
  if (webhook.isPending) return <Waiting />
  if (webhook.isError) return <Failure error={webhook.error} onRetry={() => void webhook.refetch()} />
  return (
    <div className="flex min-h-0 flex-1">
      <div className={`flex min-w-0 flex-1 flex-col ${deliveryId === undefined ? '' : 'max-md:hidden'}`}>
        <WebhookHead webhook={webhook.data} />
        <Deliveries webhookId={webhookId} deliveryId={deliveryId} />
      </div>
      {deliveryId !== undefined && <DeliveryPanel webhookId={webhookId} deliveryId={deliveryId} />}
    </div>
  )
}

const isStatus = (value: string): value is SubscriptionStatus => subscriptionStatuses.some((one) => one === value)

function WebhookHead({ webhook }: { webhook: WebhookSubscription }) {
  const { id, name, url, status } = webhook
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const [secret, setSecret] = useState('')
  const [open, setOpen] = useState<'replay' | 'edit'>()
  const close = () => setOpen(undefined)
  const options = {
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
    onError: (error: unknown) => toast(explain(error), { tone: 'danger' }),
  }
  const test = useMutation({ mutationFn: () => parley.webhooks.test(id), ...options })
  const move = useMutation({ mutationFn: (to: string) => parley.webhooks.update(id, { status: to }), ...options })
  const rotate = useMutation({
    mutationFn: () => parley.webhooks.rotateSecret(id),
    ...options,
    onSuccess: (rotated) => setSecret(rotated.secret),
  })
  const target = status === 'active' ? 'paused' : 'active'
  const why = isStatus(status) && canMove(subscriptionMoves, status, target) ? undefined : text.developers.cannotMove
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-3 sm:px-6">
      <div className="min-w-0 flex-1 basis-56">
        <h2 className="flex items-center gap-2 text-base font-semibold">
          <span className="min-w-0 truncate">{name}</span>
          <Badge tone={subscriptionTones[status] ?? 'neutral'}>{text.developers.webhookStatus[status] ?? status}</Badge>
          <RecordTools slug="webhooks" id={id} />
        </h2>
        <p className="truncate font-mono text-xs text-muted">{url}</p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        <Button icon={<Send size={14} aria-hidden />} onClick={() => test.mutate()}>
          {text.developers.sendTest}
        </Button>
        <Button icon={<History size={14} aria-hidden />} onClick={() => setOpen('replay')}>
          {text.developers.replayWindow}
        </Button>
        <Button
          icon={target === 'paused' ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
          because={why}
          onClick={() => move.mutate(target)}
        >
          {target === 'paused' ? text.developers.pause : text.developers.resume}
        </Button>
        <Button icon={<RotateCcwKey size={14} aria-hidden />} onClick={() => rotate.mutate()}>
          {text.developers.rotateSecret}
        </Button>
        <Button icon={<Pencil size={14} aria-hidden />} onClick={() => setOpen('edit')}>
          {text.developers.change}
        </Button>
      </div>
      {secret !== '' && <ShownOnce title={text.developers.secretShown} secret={secret} onClose={() => setSecret('')} />}
      {open === 'replay' && <ReplayWindow webhookId={id} onClose={close} />}
      {open === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
    </div>
  )
}

const statuses = ['', 'SUCCEEDED', 'PENDING', 'RETRYING', 'FAILED', 'DEAD_LETTERED']

function Deliveries({ webhookId, deliveryId }: { webhookId: string; deliveryId: string | undefined }) {
  const { parley, key } = usePlace()
  return (
    <StatusLog<Delivery>
      title={text.developers.deliveries}
      queryKey={[...key, 'deliveries', webhookId]}
      read={(page, signal) => parley.webhooks.deliveries(webhookId, page, { signal })}
      statuses={statuses}
      names={text.developers.deliveryStatus}
      empty={{ icon: <Send size={20} />, title: text.developers.noDeliveries, body: text.developers.noDeliveriesBody }}
    >
      {(delivery) => <DeliveryRow delivery={delivery} isShown={delivery.id === deliveryId} />}
    </StatusLog>
  )
}

function DeliveryRow({ delivery, isShown }: { delivery: Delivery; isShown: boolean }) {
  const { at } = usePlace()
  const { id, subscriptionId, eventType, status, attemptCount, lastResponseStatus, lastError, createdAt } = delivery
  return (
    <GoLink
      href={at('developers', 'webhooks', subscriptionId, id) + location.search}
      aria-current={isShown ? 'true' : undefined}
      className={`mx-2 flex h-10 items-center gap-3 rounded-md px-2 sm:mx-4 ${isShown ? 'bg-accent-soft' : 'hover:bg-hover'}`}
    >
      <span className="w-24 shrink-0">
        <Badge tone={deliveryTones[status] ?? 'neutral'}>{text.developers.deliveryStatus[status] ?? status}</Badge>
      </span>
      <span className="min-w-0 flex-1 truncate font-mono text-xs">{eventType}</span>
      <span className="figures shrink-0 text-muted max-sm:hidden">
        {lastResponseStatus ?? lastError ?? ''} {attemptCount > 1 && text.developers.attempts(attemptCount)}
      </span>
      <Moment at={createdAt} className="w-20 shrink-0 text-end text-xs text-muted" />
    </GoLink>
  )
}
