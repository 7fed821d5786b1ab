// Developers: try it, watch it, and connect to it.
import { BookOpen } from 'lucide-react'
import type { ComponentType } from 'react'
import { usePathParts, usePlace } from '../../api/place'
import { text } from '../../text'
import { Page } from '../../ui/page'
import { ConnectionDetail } from './connection-detail'
import { Connections } from './connections'
import { EventsTail } from './events-tail'
import { Examples } from './examples'
import { Keys } from './keys'
import { RequestLog } from './request-log'
import { Simulator } from './simulator'
import { WebhookDetail } from './webhook-detail'
import { Webhooks } from './webhooks'

interface PartProps {
  /** What follows in the address: which one of the list, and which of what hangs on it. */
  readonly id: string | undefined
  readonly entryId: string | undefined
}

const parts = {
  simulator: Simulator,
  webhooks: ({ id, entryId }) =>
    id === undefined ? <Webhooks /> : <WebhookDetail webhookId={id} deliveryId={entryId} />,
  events: ({ id }) => <EventsTail eventId={id} />,
  connections: ({ id, entryId }) =>
    id === undefined ? <Connections /> : <ConnectionDetail connectionId={id} entryId={entryId} />,
  requests: RequestLog,
  keys: Keys,
  examples: Examples,
} satisfies Record<string, ComponentType<PartProps>>
type Part = keyof typeof parts
const names = Object.keys(parts).filter((name): name is Part => name in parts)

export function DevelopersScreen() {
  const { at, environment } = usePlace()
  const [, named, id, entryId] = usePathParts('developers')
  const shown = names.filter((name) => name !== 'simulator' || environment === 'sandbox')
  const part = shown.find((name) => name === named) ?? shown[0] ?? 'webhooks'
  const Shown: ComponentType<PartProps> = parts[part]
  const reference = (
    <a href="/docs" className="inline-flex items-center gap-1.5 font-medium text-accent hover:underline">
      <BookOpen size={15} aria-hidden />
      {text.developers.reference}
    </a>
  )
  const tabs = shown.map((name) => [at('developers', name), text.developers[name], name === part] as const)
  return (
    <Page title={text.screens.developers} actions={reference} tabs={tabs}>
      <Shown id={id} entryId={entryId} />
    </Page>
  )
}
