// Sends the deliveries of some time again, and shows how far that has come.
import type { ReplayJob } from '@parley/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { ChoiceField } from '../../ui/field'
import { explain } from '../../ui/states'

const spans = ['1', '24', '168']
const kinds = ['failed', 'all']
const HOUR_MS = 3_600_000

export function ReplayWindow({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const { parley, key } = usePlace()
  const [hours, setHours] = useState('24')
  const [kind, setKind] = useState('failed')
  const start = useMutation({
    mutationFn: () =>
      parley.webhooks.replay(webhookId, {
        since: new Date(Date.now() - Number(hours) * HOUR_MS),
        ...(kind === 'all' && { statuses: ['FAILED', 'DEAD_LETTERED', 'SUCCEEDED'] }),
      }),
  })
  const jobId = start.data?.id ?? ''
  const job = useQuery({
    queryKey: [...key, 'deliveries', 'replay', jobId],
    queryFn: ({ signal }) => parley.webhooks.replayJob(webhookId, jobId, { signal }),
    enabled: jobId !== '',
    refetchInterval: ({ state }) => (state.data?.status === 'completed' ? false : 500),
  })
  return (
    <Dialog title={text.developers.replayWindow} isOpen onClose={onClose}>
      {start.data ? (
        <Progress job={job.data ?? start.data} />
      ) : (
        <div className="grid gap-4">
          <ChoiceField
            label={text.developers.since}
            value={hours}
            onChoose={setHours}
            options={spans.map((one) => [one, text.developers.lastHours(Number(one))])}
          />
          <ChoiceField
            label={text.developers.which}
            value={kind}
            onChoose={setKind}
            options={kinds.map((one) => [one, text.developers.replayKinds[one] ?? one])}
          />
          {start.error !== null && <p className="text-danger">{explain(start.error)}</p>}
          <Button look="primary" className="justify-self-end" disabled={start.isPending} onClick={() => start.mutate()}>
            {text.developers.replay}
          </Button>
        </div>
      )}
    </Dialog>
  )
}

function Progress({ job }: { job: ReplayJob }) {
  const share = job.matched === 0 ? 100 : Math.round((job.queued / job.matched) * 100)
  return (
    <div className="grid gap-2" role="status">
      <p>
        {job.status === 'completed'
          ? text.developers.replayed(job.queued)
          : text.developers.replaying(job.queued, job.matched)}
      </p>
      <progress
        value={share}
        max={100}
        className="h-2 w-full accent-accent"
        aria-label={text.developers.replayWindow}
      />
    </div>
  )
}
