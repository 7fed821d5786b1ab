// Name, zone, country, currency, and when facts and signals count by themselves.
import type { Organization } from '@parley/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { usePlace } from '../../api/place'
import { toast } from '../../frame/toasts'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { ChoiceField, TextField } from '../../ui/field'
import { explain, Failure, Waiting } from '../../ui/states'
import { useOwnerOnly } from './use-role'

export function OrganizationSettings() {
  const { parley, key } = usePlace()
  const organization = useQuery({
    queryKey: [...key, 'organization'],
    queryFn: ({ signal }) => parley.organization.get({ signal }),
  })
  if (organization.isError) return <Failure error={organization.error} onRetry={() => void organization.refetch()} />
  if (organization.data === undefined) return <Waiting />
  return <Form key={organization.dataUpdatedAt} organization={organization.data} />
}

const numberOrNull = (value: string): number | null => (value === '' ? null : Number(value))

function Form({ organization: { name, settings, environment } }: { organization: Organization }) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const why = useOwnerOnly()
  const save = useMutation({
    mutationFn: (form: FormData) => {
      const said = (field: string) => String(form.get(field) ?? '')
      return parley.organization.update({
        ...(environment === 'production' && { name: said('name') }),
        settings: {
          timezone: said('timezone'),
          currency: said('currency'),
          defaultCountry: said('defaultCountry') || null,
          factAutoConfirmThreshold: numberOrNull(said('factAutoConfirmThreshold')),
          signalFireThreshold: Number(said('signalFireThreshold')),
          smsHelpMessage: said('smsHelpMessage') || null,
        },
      })
    },
    onSuccess: (saved) => {
      queries.setQueryData([...key, 'organization'], saved)
      toast(text.settings.saved)
    },
    onError: (error) => toast(explain(error), { tone: 'danger' }),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  const zones = Intl.supportedValuesOf('timeZone')
  const allZones = zones.includes(settings.timezone) ? zones : [settings.timezone, ...zones]
  const share = { type: 'number', min: 0, max: 1, step: 0.01 } as const
  return (
    <form onSubmit={submit} className="grid gap-5 sm:grid-cols-2">
      <TextField
        label={text.settings.name}
        name="name"
        defaultValue={name}
        disabled={environment !== 'production'}
        hint={environment === 'production' ? undefined : text.settings.nameHint}
      />
      <ChoiceField
        label={text.settings.timezone}
        name="timezone"
        defaultValue={settings.timezone}
        onChoose={() => undefined}
        options={allZones.map((zone) => [zone, zone])}
      />
      <TextField
        label={text.settings.country}
        name="defaultCountry"
        defaultValue={settings.defaultCountry ?? ''}
        hint={text.settings.countryHint}
        maxLength={2}
      />
      <TextField label={text.settings.currency} name="currency" defaultValue={settings.currency} maxLength={3} />
      <TextField
        label={text.settings.factThreshold}
        name="factAutoConfirmThreshold"
        {...share}
        defaultValue={settings.factAutoConfirmThreshold ?? ''}
        hint={text.settings.factThresholdHint}
      />
      <TextField
        label={text.settings.signalThreshold}
        name="signalFireThreshold"
        {...share}
        required
        defaultValue={settings.signalFireThreshold}
        hint={text.settings.signalThresholdHint}
      />
      <div className="sm:col-span-2">
        <TextField
          label={text.settings.help}
          name="smsHelpMessage"
          defaultValue={settings.smsHelpMessage ?? ''}
          hint={text.settings.helpHint}
        />
      </div>
      <Button type="submit" look="primary" className="justify-self-start" because={why} disabled={save.isPending}>
        {text.save}
      </Button>
    </form>
  )
}
