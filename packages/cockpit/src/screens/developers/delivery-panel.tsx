// One delivery: what was sent, how it was signed, and what each attempt met.
import type { DeliveryAttempt } from '@parley/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { CopyButton, JsonView } from '../../ui/json-view'
import { Moment, useExact } from '../../ui/moment'
import { Panel } from '../../ui/panel'
import { RecordTools } from '../../ui/record-tools'
import { explain, Failure, Waiting } from '../../ui/states'
import { Badge } from '../../ui/words'
import { deliveryTones } from './status-tones'

const REFRESH_MS = 2_500
const isSettled = (status: string): boolean => status !== 'PENDING' && status !== 'RETRYING'

export function DeliveryPanel({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const { parley, key, at } = usePlace()
  const queries = useQueryClient()
  const delivery = useQuery({
    queryKey: [...key, 'deliveries', webhookId, 'one', deliveryId],
    queryFn: ({ signal }) =>
      parley.webhooks.delivery(webhookId, deliveryId, { expand: ['payload', 'attempts'] }, { signal }),
    refetchInterval: ({ state }) => (state.data && isSettled(state.data.status) ? false : REFRESH_MS),
  })
  const replay = useMutation({
    mutationFn: () => parley.webhooks.replayDelivery(webhookId, deliveryId, { force: true }),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...key, 'deliveries', webhookId] }),
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
  return (
    <Panel
      label={text.developers.delivery}
      title={<span className="font-mono text-xs">{delivery.data?.eventType}</span>}
      closeTo={at('developers', 'webhooks', webhookId)}
      actions={
        <>
          <Button
            icon={<RotateCw size={14} aria-hidden />}
            because={delivery.data && !isSettled(delivery.data.status) ? text.developers.stillTrying : undefined}
            onClick={() => replay.mutate()}
            disabled={replay.isPending}
          >
            {text.developers.replay}
          </Button>
          <RecordTools slug={`webhooks/${webhookId}/deliveries`} id={deliveryId} />
        </>
      }
    >
      {delivery.isPending && <Waiting />}
      {delivery.isError && <Failure error={delivery.error} onRetry={() => void delivery.refetch()} />}
      {delivery.data && (
        <div className="grid gap-5 p-4">
          <p className="flex flex-wrap items-center gap-2 text-muted">
            <Badge tone={deliveryTones[delivery.data.status] ?? 'neutral'}>
              {text.developers.deliveryStatus[delivery.data.status] ?? delivery.data.status}
            </Badge>
            <Moment at={delivery.data.createdAt} />
            {delivery.data.nextAttemptAt !== null && !isSettled(delivery.data.status) && (
              <span>
                {text.developers.nextAttempt} <Moment at={delivery.data.nextAttemptAt} />
              </span>
            )}
          </p>
          <section className="grid gap-2">
            <h3 className="font-semibold">{text.developers.attemptsTitle}</h3>
            {(delivery.data.attempts ?? []).toReversed().map((attempt) => (
              <Attempt key={`${attempt.number} ${attempt.startedAt}`} attempt={attempt} />
            ))}
            {delivery.data.attempts?.length === 0 && <p className="text-muted">{text.developers.notTried}</p>}
          </section>
          <JsonView value={delivery.data.payload ?? null} label={text.developers.payload} />
          <p className="text-muted">{text.developers.signatureHow}</p>
        </div>
      )}
    </Panel>
  )
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const exact = useExact()
  const { number, startedAt, durationMs, responseStatus, responseBody, error, trigger, signature } = attempt
  const isGood = responseStatus !== null && responseStatus < 300
  return (
    <div className="rounded-md border border-line">
      <div className="flex flex-wrap items-center gap-x-3 px-3 py-2">
        <span className="figures font-medium">#{number}</span>
        <Badge tone={isGood ? 'good' : 'danger'}>
          {responseStatus === null ? (error ?? '') : String(responseStatus)}
        </Badge>
        <span className="text-muted">{text.developers.triggers[trigger] ?? trigger}</span>
        <span className="figures ms-auto font-mono text-xs text-muted">
          {exact(startedAt, { timeStyle: 'medium' })} · {Math.round(durationMs)} ms
        </span>
      </div>
      {typeof signature === 'string' && (
        <div className="flex items-center gap-2 border-t border-line ps-3 pe-1">
          <span className="shrink-0 text-xs text-muted">{text.developers.signature}</span>
          <code className="min-w-0 flex-1 truncate font-mono text-xs" title={signature}>
            {signature}
          </code>
          <CopyButton value={signature} label={text.developers.copySignature(number)} isQuiet />
        </div>
      )}
      {responseBody !== null && responseBody !== '' && (
        <pre
          tabIndex={0}
          className="scroll-quiet max-h-32 overflow-auto border-t border-line px-3 py-2 font-mono text-xs whitespace-pre-wrap"
        >
          {responseBody}
        </pre>
      )}
    </div>
  )
}
