// Developers: try it, watch it, and connect to it.
import { BookOpen } from 'lucide-react'
import { usePathParts, usePlace } from '../../api/place'
import { text } from '../../text'
import { Page } from '../../ui/page'
import { EventsTail } from './events-tail'
import { Examples } from './examples'
import { Keys } from './keys'
import { Simulator } from './simulator'
import { WebhookDetail } from './webhook-detail'
import { Webhooks } from './webhooks'

const parts = { simulator: Simulator, webhooks: Webhooks, events: EventsTail, keys: Keys, examples: Examples }
type Part = keyof typeof parts
const names = Object.keys(parts).filter((name): name is Part => name in parts)

export function DevelopersScreen() {
  const { at, environment } = usePlace()
  const [, named, webhookId, deliveryId] = usePathParts('developers')
  const shown = names.filter((name) => name !== 'simulator' || environment === 'sandbox')
  const part = shown.find((name) => name === named) ?? shown[0] ?? 'webhooks'
  const Shown = parts[part]
  const reference = (
    <a href="/docs" className="inline-flex items-center gap-1.5 font-medium text-accent hover:underline">
      <BookOpen size={15} aria-hidden />
      {text.developers.reference}
    </a>
  )
  const tabs = shown.map((name) => [at('developers', name), text.developers[name], name === part] as const)
  return (
    <Page title={text.screens.developers} actions={reference} tabs={tabs}>
      {part === 'webhooks' && webhookId !== undefined ? (
        <WebhookDetail webhookId={webhookId} deliveryId={deliveryId} />
      ) : (
        <Shown />
      )}
    </Page>
  )
}
