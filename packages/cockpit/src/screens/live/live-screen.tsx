// Live: calls that ring and run, as they happen, and one of them in full.
import { useQuery } from '@tanstack/react-query'
import { PhoneCall } from 'lucide-react'
import { useGo, usePathParts, usePlace } from '../../api/place'
import { useKeys } from '../../frame/keys'
import { PlayCallButton } from '../../frame/play-call'
import { runningCalls } from '../../frame/screens'
import { text } from '../../text'
import { ListAndDetail } from '../../ui/list-and-detail'
import { Empty } from '../../ui/states'
import { CallList } from './call-list'
import { CallView } from './call-view'

export function LiveScreen() {
  const place = usePlace()
  const { parley, key, at, environment } = place
  const [, named] = usePathParts('live')
  const go = useGo()
  const running = useQuery(runningCalls(place))
  const recent = useQuery({
    queryKey: [...key, 'calls', 'recent'],
    queryFn: async ({ signal }) => (await parley.calls.list({ limit: 40 }, { signal })).data,
  })
  const isOver = ({ status }: { status: string }) => status !== 'ringing' && status !== 'in_progress'
  const ended = (recent.data ?? []).filter(isOver)
  const all = [...(running.data ?? []), ...ended]
  const shown = named ?? running.data?.[0]?.id
  const step = (by: number) => {
    const next = all[Math.max(0, all.findIndex(({ id }) => id === shown) + by)]
    if (next) go(at('live', next.id), { replace: true })
  }
  useKeys([
    { key: 'j', label: text.keys.next, run: () => step(1) },
    { key: 'k', label: text.keys.previous, run: () => step(-1) },
  ])
  const list = (
    <>
      <header className="flex h-14 shrink-0 items-center justify-between gap-2 border-b border-line px-4">
        <h1 className="text-lg font-semibold">{text.screens.live}</h1>
        <PlayCallButton look="plain" />
      </header>
      <CallList running={running} ended={ended} shown={shown} isWaiting={recent.isPending} />
    </>
  )
  return (
    <ListAndDetail label={text.screens.live} list={list} isChosen={named !== undefined}>
      {shown === undefined ? (
        <Empty icon={<PhoneCall size={20} />} title={text.live.quiet} action={<PlayCallButton />}>
          {environment === 'sandbox' ? text.live.quietSandbox : text.live.quietProduction}
        </Empty>
      ) : (
        <CallView key={shown} callId={shown} />
      )}
    </ListAndDetail>
  )
}
