// Plays the provider, in the sandbox: a sample of what it sends, to be changed as one likes, through the real pipeline.
import type { IntegrationConnection } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useGo, usePlace } from '../../api/place'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { AreaField, ChoiceField } from '../../ui/field'
import { explain, Waiting } from '../../ui/states'

interface Sample {
  readonly provider: string
  readonly kind: string
  readonly body: unknown
}

/** The samples of the guides. */
const files = import.meta.glob<Sample | readonly Sample[]>('../../../../../docs/guides/samples/*.json', {
  import: 'default',
})

async function samplesOf(provider: string): Promise<readonly Sample[]> {
  const names = Object.keys(files).filter((name) => name.includes(`/${provider}-`))
  const loaded = await Promise.all(names.map((name) => files[name]?.() ?? []))
  return loaded.flat().filter((sample) => sample.provider === provider)
}

interface SimulateProps {
  readonly connection: IntegrationConnection
  readonly onClose: () => void
}

export function SimulateInbound({ connection, onClose }: SimulateProps) {
  const { provider } = connection
  const samples = useQuery({
    queryKey: ['samples', provider],
    queryFn: () => samplesOf(provider),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Dialog title={text.developers.simulate} isOpen wide onClose={onClose}>
      {samples.isPending ? (
        <Waiting />
      ) : (
        <Form connection={connection} samples={samples.data ?? []} onClose={onClose} />
      )}
    </Dialog>
  )
}

const shown = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body, null, 2))

/** A text as it is, JSON as what it says. */
function said(typed: string): unknown {
  try {
    return JSON.parse(typed)
  } catch {
    return typed
  }
}

function Form({ connection: { id, inboundUrls }, samples, onClose }: SimulateProps & { samples: readonly Sample[] }) {
  const { parley, at } = usePlace()
  const go = useGo()
  const kinds = Object.keys(inboundUrls)
  const [kind, setKind] = useState(samples[0]?.kind ?? kinds[0] ?? '')
  const [body, setBody] = useState(shown(samples[0]?.body ?? ''))
  const choose = (chosen: string) => {
    setKind(chosen)
    setBody(shown(samples.find((sample) => sample.kind === chosen)?.body ?? ''))
  }
  const send = useSaving(() => parley.integrationConnections.simulate(id, { kind, body: said(body) }), {
    touched: 'inbound',
    said: text.developers.simulatedNow,
    onSaved: ({ entry }) => (onClose(), go(at('developers', 'connections', id, entry.id))),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send.mutate(undefined)
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <p className="text-muted">{text.developers.simulateIntro}</p>
      <ChoiceField
        label={text.developers.inboundKind}
        value={kind}
        onChoose={choose}
        options={kinds.map((one) => [one, one])}
      />
      <AreaField
        label={text.developers.payload}
        value={body}
        required
        rows={12}
        spellCheck={false}
        className="font-mono text-xs"
        onChange={({ target }) => setBody(target.value)}
        error={send.error === null ? undefined : explain(send.error)}
      />
      <Button type="submit" look="primary" className="justify-self-end" disabled={send.isPending}>
        {text.developers.simulate}
      </Button>
    </form>
  )
}
