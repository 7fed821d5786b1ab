// What a fact means: its name, its type, what it is about, and the words by which it is found.
import type { FactDefinition } from '@parley/sdk'
import { useState } from 'react'
import { usePlace } from '../../api/place'
import { text } from '../../text'
import { AreaField, ChoiceField, TextField } from '../../ui/field'
import { DefinitionFrame } from './definition-frame'
import { fromLines, toLines } from './lines'

const types = ['string', 'number', 'boolean', 'date', 'enum', 'json'] as const
const subjects = ['person', 'company', 'customer', 'work_record', 'polymorphic'] as const
const keep = () => undefined

export function FactDefinitionForm({ definition }: { definition: FactDefinition | undefined }) {
  const { parley } = usePlace()
  const [valueType, setType] = useState<string>(definition?.valueType ?? 'string')
  const send = (said: (name: string) => string) => {
    const threshold = said('autoConfirmThreshold')
    const values = {
      label: said('label'),
      valueType,
      subjectScope: said('subjectScope'),
      cardinality: said('cardinality'),
      description: said('description') || null,
      hints: fromLines(said('hints')),
      enumValues: valueType === 'enum' ? fromLines(said('enumValues')) : null,
      autoConfirmThreshold: threshold === '' ? null : Number(threshold),
    }
    return definition
      ? parley.factDefinitions.update(definition.id, values, { ifMatch: definition.version })
      : parley.factDefinitions.create({ key: said('key'), ...values })
  }
  return (
    <DefinitionFrame
      slug="fact-definitions"
      heading={text.settings.addDefinition.facts}
      definition={definition}
      send={send}
      remove={(id) => parley.factDefinitions.delete(id)}
    >
      <ChoiceField
        label={text.settings.valueType}
        value={valueType}
        onChoose={setType}
        options={types.map((one) => [one, text.settings.valueTypes[one] ?? one])}
      />
      <ChoiceField
        label={text.settings.about}
        name="subjectScope"
        defaultValue={definition?.subjectScope ?? 'work_record'}
        onChoose={keep}
        options={subjects.map((one) => [one, text.settings.subjects[one] ?? one])}
      />
      {valueType === 'enum' && (
        <div className="sm:col-span-2">
          <AreaField
            label={text.settings.options}
            name="enumValues"
            required
            hint={text.settings.onePerLine}
            defaultValue={toLines(definition?.enumValues ?? [])}
          />
        </div>
      )}
      <div className="sm:col-span-2">
        <AreaField
          label={text.settings.hints}
          name="hints"
          hint={text.settings.hintsHint}
          defaultValue={toLines(definition?.hints ?? [])}
        />
      </div>
      <ChoiceField
        label={text.settings.cardinality}
        name="cardinality"
        defaultValue={definition?.cardinality ?? 'one'}
        onChoose={keep}
        options={(['one', 'many'] as const).map((one) => [one, text.settings.cardinalities[one]])}
      />
      <TextField
        label={text.settings.factThreshold}
        name="autoConfirmThreshold"
        type="number"
        min={0}
        max={1}
        step={0.01}
        placeholder={text.settings.asOrganization}
        defaultValue={definition?.autoConfirmThreshold ?? ''}
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
    </DefinitionFrame>
  )
}
