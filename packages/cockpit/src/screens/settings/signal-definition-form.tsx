// What a signal means: its name, how much it matters, and what callers say when it is the case.
import type { SignalDefinition } from '@parley/sdk'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { AreaField, CheckField, ChoiceField, TextField } from '../../ui/field'
import { DefinitionFrame } from './definition-frame'
import { fromLines, toLines } from './lines'

const severities = ['info', 'warning', 'critical'] as const

export function SignalDefinitionForm({ definition }: { definition: SignalDefinition | undefined }) {
  const { parley } = usePlace()
  const send = (said: (name: string) => string) => {
    const threshold = said('fireThreshold')
    const values = {
      label: said('label'),
      severity: said('severity'),
      enabled: said('enabled') !== '',
      description: said('description') || null,
      phrases: fromLines(said('phrases')),
      fireThreshold: threshold === '' ? null : Number(threshold),
    }
    return definition
      ? parley.signalDefinitions.update(definition.id, values, { ifMatch: definition.version })
      : parley.signalDefinitions.create({ key: said('key'), ...values })
  }
  return (
    <DefinitionFrame
      slug="signal-definitions"
      heading={text.settings.addDefinition.signals}
      definition={definition}
      send={send}
      remove={(id) => parley.signalDefinitions.delete(id)}
    >
      <div className="sm:col-span-2">
        <AreaField
          label={text.settings.phrases}
          name="phrases"
          hint={text.settings.phrasesHint}
          defaultValue={toLines(definition?.phrases ?? [])}
        />
      </div>
      <ChoiceField
        label={text.settings.severity}
        name="severity"
        defaultValue={definition?.severity ?? 'info'}
        onChoose={() => undefined}
        options={severities.map((one) => [one, text.settings.severities[one] ?? one])}
      />
      <TextField
        label={text.settings.signalThreshold}
        name="fireThreshold"
        type="number"
        min={0}
        max={1}
        step={0.01}
        placeholder={text.settings.asOrganization}
        defaultValue={definition?.fireThreshold ?? ''}
        hint={text.settings.thresholdHint}
      />
      <div className="sm:col-span-2">
        <AreaField
          label={text.settings.meaning}
          name="description"
          hint={text.settings.meaningHint}
          defaultValue={definition?.description ?? ''}
        />
      </div>
      <CheckField name="enabled" label={text.settings.fires} defaultChecked={definition?.enabled ?? true} />
    </DefinitionFrame>
  )
}
