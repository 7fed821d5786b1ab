// Beside the transcript: what to ask next, what was learned, and who is calling.
import type { CallSurface } from '@parley/sdk'
import { CallerCard } from './caller-card'
import { DraftForm } from './draft-form'
import { FactsPanel } from './facts-panel'
import { QuickAdd } from './quick-add'

export function CallAside({ surface }: { surface: CallSurface }) {
  return (
    <aside className="scroll-quiet h-full divide-y divide-line overflow-auto border-s border-line bg-canvas">
      <DraftForm surface={surface} />
      <FactsPanel surface={surface} />
      <CallerCard surface={surface} />
      <QuickAdd surface={surface} />
    </aside>
  )
}
