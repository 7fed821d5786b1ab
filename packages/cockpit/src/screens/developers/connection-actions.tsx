// What can be done with a connection: check it, pause it, change what it knows, end it, and play the provider.
import type { IntegrationConnection } from '@parley/sdk'
import { Ban, FlaskConical, Pause, Pencil, Play, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { useOwnerOnly } from '../../api/role'
import { toast } from '../../frame/toasts'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { EditConnection } from './edit-connection'
import { SimulateInbound } from './simulate-inbound'

const touched = 'connections'

export function ConnectionActions({ connection }: { connection: IntegrationConnection }) {
  const { parley, environment } = usePlace()
  const { id, status, inboundUrls } = connection
  const why = useOwnerOnly()
  const [open, setOpen] = useState<'edit' | 'simulate'>()
  const [isSure, setSure] = useState(false)
  const check = useSaving(() => parley.integrationConnections.check(id), {
    touched,
    said: null,
    onSaved: ({ ok, message }) => void toast(message, { tone: ok ? 'plain' : 'danger' }),
  })
  const move = useSaving((to: string) => parley.integrationConnections.update(id, { status: to }), { touched })
  const isRevoked = status === 'revoked'
  const sends = Object.keys(inboundUrls).length > 0
  const because = why ?? (isRevoked ? text.developers.isRevoked : undefined)
  return (
    <div className="flex flex-wrap gap-1.5">
      <Button
        icon={<ShieldCheck size={14} aria-hidden />}
        because={because}
        disabled={check.isPending}
        onClick={() => check.mutate(undefined)}
      >
        {text.developers.check}
      </Button>
      {environment === 'sandbox' && sends && (
        <Button icon={<FlaskConical size={14} aria-hidden />} because={why} onClick={() => setOpen('simulate')}>
          {text.developers.simulate}
        </Button>
      )}
      <Button
        icon={status === 'paused' ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
        because={because}
        disabled={move.isPending}
        onClick={() => move.mutate(status === 'paused' ? 'active' : 'paused')}
      >
        {status === 'paused' ? text.developers.resume : text.developers.pause}
      </Button>
      <Button icon={<Pencil size={14} aria-hidden />} because={why} onClick={() => setOpen('edit')}>
        {text.developers.change}
      </Button>
      <Button
        look="danger"
        icon={<Ban size={14} aria-hidden />}
        because={because}
        disabled={move.isPending}
        onClick={() => (isSure ? move.mutate('revoked') : setSure(true))}
        onBlur={() => setSure(false)}
      >
        {isSure ? text.developers.revokeSure : text.developers.revoke}
      </Button>
      {open === 'edit' && <EditConnection connection={connection} onClose={() => setOpen(undefined)} />}
      {open === 'simulate' && <SimulateInbound connection={connection} onClose={() => setOpen(undefined)} />}
    </div>
  )
}
