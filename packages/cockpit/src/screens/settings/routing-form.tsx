// What happens to a call: who is rung and when, what the caller hears, and what is kept.
import { Plus, Trash2 } from 'lucide-react'
import { useOrganization } from '../../api/organization'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { AreaField, CheckField, ChoiceField, TextField } from '../../ui/field'
import { HoursForm } from './hours-form'
import { newHours, type Routing } from './routing'

const MOST_PHONES = 10

interface RoutingFormProps {
  readonly routing: Routing
  readonly onChange: (routing: Routing) => void
  readonly onRemove: () => void
}

export function RoutingForm({ routing, onChange, onRemove }: RoutingFormProps) {
  const zone = useOrganization()?.settings.timezone ?? 'UTC'
  const set = (changed: Partial<Routing>) => onChange({ ...routing, ...changed })
  const { hours } = routing
  return (
    <div className="grid gap-5">
      <Phones numbers={routing.forwardTo} onChange={(forwardTo) => set({ forwardTo: [...forwardTo] })} />
      <div className="grid gap-5 sm:grid-cols-2">
        <ChoiceField
          label={text.settings.strategy}
          value={routing.strategy}
          onChoose={(strategy) => set({ strategy })}
          options={(['simultaneous', 'sequential'] as const).map((one) => [one, text.settings.strategies[one]])}
        />
        <TextField
          label={text.settings.ringSeconds}
          type="number"
          min={5}
          max={60}
          required
          value={routing.ringSeconds}
          onChange={({ target }) => set({ ringSeconds: target.valueAsNumber })}
        />
      </div>
      <CheckField
        label={text.settings.onlyInHours}
        checked={hours !== null}
        onChange={({ target }) => set({ hours: target.checked ? newHours(zone) : null })}
      />
      {hours && <HoursForm hours={hours} onChange={(changed) => set({ hours: changed })} />}
      <AreaField
        label={text.settings.consent}
        hint={text.settings.consentHint}
        maxLength={1_000}
        rows={2}
        value={routing.consentMessage ?? ''}
        onChange={({ target }) => set({ consentMessage: target.value || null })}
      />
      <AreaField
        label={text.settings.greeting}
        hint={text.settings.greetingHint}
        maxLength={1_000}
        rows={2}
        value={routing.greeting ?? ''}
        onChange={({ target }) => set({ greeting: target.value || null })}
      />
      <fieldset className="grid gap-2">
        <legend className="pb-1 font-medium text-muted">{text.settings.kept}</legend>
        {(['voicemail', 'record', 'transcribe'] as const).map((name) => (
          <CheckField
            key={name}
            label={text.settings.keeps[name]}
            checked={routing[name]}
            onChange={({ target }) => set({ [name]: target.checked })}
          />
        ))}
        {(routing.record || routing.transcribe) && routing.consentMessage === null && (
          <p className="text-warning">{text.settings.consentMissing}</p>
        )}
      </fieldset>
      <Button look="danger" className="justify-self-start" onClick={onRemove}>
        {text.settings.stopRouting}
      </Button>
    </div>
  )
}

interface PhonesProps {
  readonly numbers: readonly string[]
  readonly onChange: (numbers: readonly string[]) => void
}

function Phones({ numbers, onChange }: PhonesProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 font-medium text-muted">{text.settings.forwardTo}</legend>
      {numbers.map((number, index) => (
        // Phones are told apart by their place alone while they are typed.
        <div key={index} className="flex max-w-md items-center gap-2">
          <div className="min-w-0 flex-1">
            <TextField
              label={text.settings.phone(index + 1)}
              hideLabel
              type="tel"
              placeholder="+1 212 555 0101"
              value={number}
              onChange={({ target }) => onChange(numbers.with(index, target.value))}
            />
          </div>
          <Button
            look="quiet"
            aria-label={text.settings.removePhone(index + 1)}
            icon={<Trash2 size={15} aria-hidden />}
            onClick={() => onChange(numbers.toSpliced(index, 1))}
          />
        </div>
      ))}
      {numbers.length === 0 && <p className="text-muted">{text.settings.noPhones}</p>}
      {numbers.length < MOST_PHONES && (
        <Button
          className="justify-self-start"
          icon={<Plus size={15} aria-hidden />}
          onClick={() => onChange([...numbers, ''])}
        >
          {text.settings.addPhone}
        </Button>
      )}
    </fieldset>
  )
}
