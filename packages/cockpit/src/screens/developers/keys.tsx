// API keys of this environment: minted and shown once, rotated with grace, revoked at once.
import type { ApiKey } from '@parley/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Moment } from '../../ui/moment'
import { Body } from '../../ui/page'
import { Empty, explain, Failure, Waiting } from '../../ui/states'
import { Badge } from '../../ui/words'
import { MintKey } from './mint-key'
import { ShownOnce } from './shown-once'

export function Keys() {
  const { parley, key, environment } = usePlace()
  const queries = useQueryClient()
  const [isMinting, setMinting] = useState(false)
  const [secret, setSecret] = useState('')
  const list = useQuery({
    queryKey: [...key, 'api-keys'],
    queryFn: async ({ signal }) => (await parley.apiKeys.list({ limit: 100 }, { signal })).data,
  })
  const show = (minted: string) => {
    setMinting(false)
    setSecret(minted)
    void queries.invalidateQueries({ queryKey: [...key, 'api-keys'] })
  }
  const mint = (
    <Button look="primary" icon={<Plus size={15} aria-hidden />} onClick={() => setMinting(true)}>
      {text.developers.mint}
    </Button>
  )
  if (list.isPending) return <Waiting />
  if (list.isError) return <Failure error={list.error} onRetry={() => void list.refetch()} />
  return (
    <Body>
      <div className="grid max-w-4xl gap-4">
        <div className="flex items-center justify-between gap-4">
          <p className="text-muted">{text.developers.keysIntro(text.environments[environment])}</p>
          {mint}
        </div>
        {list.data.length === 0 ? (
          <Empty icon={<KeyRound size={20} />} title={text.developers.noKeys} action={mint} />
        ) : (
          <ul className="divide-y divide-line border-y border-line">
            {list.data.map((one) => (
              <KeyRow key={one.id} apiKey={one} onRotated={show} />
            ))}
          </ul>
        )}
      </div>
      {isMinting && <MintKey onMinted={show} onClose={() => setMinting(false)} />}
      {secret !== '' && <ShownOnce title={text.developers.keyShown} secret={secret} onClose={() => setSecret('')} />}
    </Body>
  )
}

function KeyRow({ apiKey, onRotated }: { apiKey: ApiKey; onRotated: (key: string) => void }) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const [isSure, setSure] = useState(false)
  const onError = (error: unknown) => toast(explain(error), { tone: 'danger' })
  const rotate = useMutation({
    mutationFn: () => parley.apiKeys.rotate(apiKey.id),
    onSuccess: (minted) => onRotated(minted.key),
    onError,
  })
  const revoke = useMutation({
    mutationFn: () => parley.apiKeys.revoke(apiKey.id),
    onSuccess: () => queries.invalidateQueries({ queryKey: [...key, 'api-keys'] }),
    onError,
  })
  const isRevoked = apiKey.revokedAt !== null
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
      <div className="min-w-0 flex-1 basis-60">
        <p className={`font-medium ${isRevoked ? 'text-muted line-through' : ''}`}>{apiKey.name}</p>
        <p className="font-mono text-xs text-muted">
          {apiKey.prefix}…{apiKey.last4}
        </p>
      </div>
      {apiKey.agentWrites === 'direct' && <Badge tone="warning">{text.developers.agentWriteModes.direct}</Badge>}
      <Badge tone={apiKey.scope === 'ADMIN' ? 'warning' : 'neutral'}>{apiKey.scope}</Badge>
      <span className="w-36 text-muted">
        {apiKey.lastUsedAt === null ? (
          text.developers.neverUsed
        ) : (
          <>
            {text.developers.used} <Moment at={apiKey.lastUsedAt} />
          </>
        )}
      </span>
      {isRevoked ? (
        <Badge tone="danger">{text.developers.revoked}</Badge>
      ) : (
        <span className="flex gap-1">
          <Button look="quiet" onClick={() => rotate.mutate()}>
            {text.developers.rotate}
          </Button>
          <Button
            look="danger"
            onClick={() => (isSure ? revoke.mutate() : setSure(true))}
            onBlur={() => setSure(false)}
          >
            {isSure ? text.developers.revokeSure : text.developers.revoke}
          </Button>
        </span>
      )}
    </li>
  )
}
