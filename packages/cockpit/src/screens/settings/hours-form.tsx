// Opening hours: each day with as many stretches as it has, the days that stay closed, and whose clock it is.
import { Copy, Plus, Trash2 } from 'lucide-react'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { ChoiceField, TextField } from '../../ui/field'
import { type Day, days, type Hours, type Opening, saidEnd, shownEnd } from './routing'
import { zoneOptions } from './zones'

interface HoursFormProps {
  readonly hours: Hours
  readonly onChange: (hours: Hours) => void
}

export function HoursForm({ hours, onChange }: HoursFormProps) {
  const set = (changed: Partial<Hours>) => onChange({ ...hours, ...changed })
  const setDay = (day: string, openings: readonly Opening[]) =>
    set({ weekly: [...hours.weekly.filter((one) => one.day !== day), ...openings] })
  const monday = hours.weekly.filter(({ day }) => day === 'mon')
  const copyMonday = () => {
    const weekdays = days.slice(0, 5).flatMap((day) => monday.map((one) => ({ ...one, day })))
    set({ weekly: [...weekdays, ...hours.weekly.filter(({ day }) => day === 'sat' || day === 'sun')] })
  }
  return (
    <fieldset className="grid gap-4 rounded-md border border-line bg-surface p-4">
      <legend className="px-1 font-medium text-muted">{text.settings.hours}</legend>
      <div className="max-w-xs">
        <ChoiceField
          label={text.settings.timezone}
          value={hours.timeZone}
          onChoose={(timeZone) => set({ timeZone })}
          options={zoneOptions(hours.timeZone)}
        />
      </div>
      <div className="grid gap-2">
        {days.map((day) => (
          <DayRow
            key={day}
            day={day}
            openings={hours.weekly.filter((one) => one.day === day)}
            onChange={(openings) => setDay(day, openings)}
          />
        ))}
      </div>
      <Button
        className="justify-self-start"
        icon={<Copy size={14} aria-hidden />}
        disabled={monday.length === 0}
        onClick={copyMonday}
      >
        {text.settings.copyMonday}
      </Button>
      <ClosedDays dates={hours.closed} onChange={(closed) => set({ closed: [...closed] })} />
    </fieldset>
  )
}

interface DayRowProps {
  readonly day: Day
  readonly openings: readonly Opening[]
  readonly onChange: (openings: readonly Opening[]) => void
}

function DayRow({ day, openings, onChange }: DayRowProps) {
  const name = text.settings.days[day]
  const change = (index: number, changed: Partial<Opening>) =>
    onChange(openings.map((one, place) => (place === index ? { ...one, ...changed } : one)))
  const add = () => onChange([...openings, { day, from: openings.at(-1)?.to ?? '09:00', to: '17:00' }])
  return (
    <div role="group" aria-label={name} className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <span className="w-24 font-medium">{name}</span>
      <div className="grid gap-2">
        {openings.length === 0 && <span className="text-muted">{text.settings.closed}</span>}
        {openings.map(({ from, to }, index) => (
          <div key={index} className="flex items-center gap-2">
            <TextField
              label={text.settings.opens(name)}
              hideLabel
              type="time"
              required
              className="figures w-28"
              value={from}
              onChange={({ target }) => change(index, { from: target.value })}
            />
            <span aria-hidden>–</span>
            <TextField
              label={text.settings.closes(name)}
              hideLabel
              type="time"
              required
              className="figures w-28"
              value={shownEnd(to)}
              onChange={({ target }) => change(index, { to: saidEnd(target.value) })}
            />
            <Button
              look="quiet"
              aria-label={text.settings.removeHours(name)}
              icon={<Trash2 size={15} aria-hidden />}
              onClick={() => onChange(openings.filter((_, place) => place !== index))}
            />
          </div>
        ))}
      </div>
      <Button
        look="quiet"
        aria-label={text.settings.addHours(name)}
        icon={<Plus size={15} aria-hidden />}
        onClick={add}
      />
    </div>
  )
}

interface ClosedProps {
  readonly dates: readonly string[]
  readonly onChange: (dates: readonly string[]) => void
}

function ClosedDays({ dates, onChange }: ClosedProps) {
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 font-medium text-muted">{text.settings.closedDays}</legend>
      {dates.map((date, index) => (
        <div key={index} className="flex items-center gap-2">
          <TextField
            label={text.settings.closedOn}
            hideLabel
            type="date"
            required
            className="figures w-40"
            value={date}
            onChange={({ target }) => onChange(dates.with(index, target.value))}
          />
          <Button
            look="quiet"
            aria-label={text.settings.removeClosed}
            icon={<Trash2 size={15} aria-hidden />}
            onClick={() => onChange(dates.toSpliced(index, 1))}
          />
        </div>
      ))}
      <Button
        className="justify-self-start"
        icon={<Plus size={15} aria-hidden />}
        onClick={() => onChange([...dates, ''])}
      >
        {text.settings.addClosed}
      </Button>
    </fieldset>
  )
}
