// What is listened for: the keys of facts and the kinds of signals, with when they count by themselves.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { explain, Failure, Waiting } from '../../ui/states'
import { useOwnerOnly } from './use-role'

interface Row {
  readonly id: string
  readonly key: string
  readonly label: string
  readonly threshold: number | null
}

export function Definitions() {
  const { parley, key } = usePlace()
  const facts = useQuery({
    queryKey: [...key, 'definitions', 'facts'],
    queryFn: async ({ signal }) =>
      (await parley.factDefinitions.list({ limit: 100 }, { signal })).data.map(
        ({ id, key, label, autoConfirmThreshold }): Row => ({ id, key, label, threshold: autoConfirmThreshold }),
      ),
  })
  const signals = useQuery({
    queryKey: [...key, 'definitions', 'signals'],
    queryFn: async ({ signal }) =>
      (await parley.signalDefinitions.list({ limit: 100 }, { signal })).data.map(
        ({ id, key, label, fireThreshold }): Row => ({ id, key, label, threshold: fireThreshold }),
      ),
  })
  const error = facts.error ?? signals.error
  if (error) return <Failure error={error} onRetry={() => void facts.refetch()} />
  if (!facts.data || !signals.data) return <Waiting />
  return (
    <div className="grid gap-8">
      <Group
        title={text.live.facts}
        intro={text.settings.factsIntro}
        rows={facts.data}
        save={(id, autoConfirmThreshold) => parley.factDefinitions.update(id, { autoConfirmThreshold })}
      />
      <Group
        title={text.settings.signals}
        intro={text.settings.signalsIntro}
        rows={signals.data}
        save={(id, fireThreshold) => parley.signalDefinitions.update(id, { fireThreshold })}
      />
    </div>
  )
}

interface GroupProps {
  readonly title: string
  readonly intro: string
  readonly rows: readonly Row[]
  readonly save: (id: string, threshold: number | null) => Promise<unknown>
}

function Group({ title, intro, rows, save }: GroupProps) {
  const { key } = usePlace()
  const queries = useQueryClient()
  const why = useOwnerOnly()
  const saving = useMutation({
    mutationFn: ({ id, value }: { id: string; value: string }) => save(id, value === '' ? null : Number(value)),
    onSuccess: () => toast(text.settings.saved),
    onSettled: () => queries.invalidateQueries({ queryKey: [...key, 'definitions'] }),
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
  return (
    <section>
      <h2 className="font-semibold">{title}</h2>
      <p className="pb-2 text-muted">{intro}</p>
      {rows.length === 0 && <p className="text-muted">{text.settings.noDefinitions}</p>}
      <ul className="divide-y divide-line border-y border-line">
        {rows.map(({ id, key: name, label, threshold }) => (
          <li key={id} className="flex items-center gap-4 py-1.5">
            <span className="min-w-0 flex-1 truncate font-medium">{label}</span>
            <span className="font-mono text-xs text-muted max-sm:hidden">{name}</span>
            <input
              type="number"
              min={0}
              max={1}
              step={0.01}
              aria-label={text.settings.thresholdOf(label)}
              placeholder={text.settings.default}
              defaultValue={threshold ?? ''}
              disabled={why !== undefined}
              onBlur={({ target }) =>
                target.value !== String(threshold ?? '') && saving.mutate({ id, value: target.value })
              }
              className="figures h-8 w-24 rounded-md border border-line-strong bg-surface px-2 max-sm:h-11"
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
