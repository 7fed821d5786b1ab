// What is listened for: facts and signals, how each is recognised, and a sentence to try them on.
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { Failure, Waiting } from '../../ui/states'
import { DefinitionList } from './definition-list'
import { FactDefinitionForm } from './fact-definition-form'
import { SignalDefinitionForm } from './signal-definition-form'
import { TrySentence } from './try-sentence'

export function Definitions({ rest: [kind, id] }: { rest: readonly string[] }) {
  const { parley } = usePlace()
  if (kind === 'facts' && id !== undefined) {
    const read = (signal: AbortSignal) => parley.factDefinitions.get(id, { signal })
    return <One kind={kind} id={id} read={read} form={(one) => <FactDefinitionForm definition={one} />} />
  }
  if (kind === 'signals' && id !== undefined) {
    const read = (signal: AbortSignal) => parley.signalDefinitions.get(id, { signal })
    return <One kind={kind} id={id} read={read} form={(one) => <SignalDefinitionForm definition={one} />} />
  }
  return (
    <div className="grid max-w-6xl items-start gap-8 lg:grid-cols-2">
      <div className="lg:col-span-2">
        <TrySentence />
      </div>
      <DefinitionList
        kind="facts"
        title={text.live.facts}
        intro={text.settings.factsIntro}
        read={async (page, signal) => parley.factDefinitions.list(page, { signal })}
        detail={({ valueType }) => text.settings.valueTypes[valueType] ?? valueType}
      />
      <DefinitionList
        kind="signals"
        title={text.settings.signals}
        intro={text.settings.signalsIntro}
        read={async (page, signal) => parley.signalDefinitions.list(page, { signal })}
        detail={({ severity, enabled }) =>
          enabled ? (text.settings.severities[severity] ?? severity) : text.settings.off
        }
      />
    </div>
  )
}

interface OneProps<T> {
  readonly kind: 'facts' | 'signals'
  readonly id: string
  readonly read: (signal: AbortSignal) => Promise<T>
  readonly form: (definition: T | undefined) => ReactNode
}

/** A definition by its id; `new` is one that is still to be made. */
function One<T extends { readonly version: number }>({ kind, id, read, form }: OneProps<T>) {
  const { key } = usePlace()
  const query = useQuery({
    queryKey: [...key, 'definitions', kind, 'one', id],
    queryFn: ({ signal }) => read(signal),
    enabled: id !== 'new',
  })
  if (id === 'new') return form(undefined)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <Waiting />
  return <Fragment key={`${id} ${query.data.version}`}>{form(query.data)}</Fragment>
}
