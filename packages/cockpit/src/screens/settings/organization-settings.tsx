// Name, zone, country, currency, what reads conversations, and when facts and signals count by themselves.
import type { Organization } from '@parley/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import { usePlace } from '../../api/place'
import { useOwnerOnly } from '../../api/role'
import { useSaving } from '../../frame/use-saving'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { CheckField, ChoiceField, TextField } from '../../ui/field'
import { Failure, Waiting } from '../../ui/states'
import { zoneOptions } from './zones'

export function OrganizationSettings() {
  const { parley, key } = usePlace()
  const organization = useQuery({
    queryKey: [...key, 'organization'],
    queryFn: ({ signal }) => parley.organization.get({ signal }),
  })
  if (organization.isError) return <Failure error={organization.error} onRetry={() => void organization.refetch()} />
  if (organization.data === undefined) return <Waiting />
  return <Form key={JSON.stringify(organization.data)} organization={organization.data} />
}

const numberOrNull = (value: string): number | null => (value === '' ? null : Number(value))
const extractors = ['rules', 'model', 'off'] as const
const keep = () => undefined

function Form({ organization: { name, settings, environment } }: { organization: Organization }) {
  const { parley, key } = usePlace()
  const queries = useQueryClient()
  const why = useOwnerOnly()
  const isLive = environment === 'production'
  const save = useSaving(
    (form: FormData) => {
      const said = (field: string) => String(form.get(field) ?? '')
      return parley.organization.update({
        ...(isLive && { name: said('name') }),
        settings: {
          timezone: said('timezone'),
          currency: said('currency').toUpperCase(),
          defaultCountry: said('defaultCountry').toUpperCase() || null,
          extractor: said('extractor'),
          factAutoConfirmThreshold: numberOrNull(said('factAutoConfirmThreshold')),
          signalFireThreshold: Number(said('signalFireThreshold')),
          smsHelpMessage: said('smsHelpMessage') || null,
          strictReferences: form.has('strictReferences'),
          webhookWritesNeedAdmin: form.has('webhookWritesNeedAdmin'),
        },
      })
    },
    { touched: 'organization', onSaved: (saved) => queries.setQueryData([...key, 'organization'], saved) },
  )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    save.mutate(new FormData(event.currentTarget))
  }
  const share = { type: 'number', min: 0, max: 1, step: 0.01 } as const
  return (
    <form onSubmit={submit} className="grid max-w-3xl gap-8">
      <Group title={text.settings.business}>
        <TextField
          label={text.settings.name}
          name="name"
          required
          defaultValue={name}
          disabled={!isLive}
          hint={isLive ? undefined : text.settings.nameHint}
        />
        <ChoiceField
          label={text.settings.timezone}
          name="timezone"
          defaultValue={settings.timezone}
          onChoose={keep}
          options={zoneOptions(settings.timezone)}
          hint={text.settings.timezoneHint}
        />
        <TextField
          label={text.settings.country}
          name="defaultCountry"
          defaultValue={settings.defaultCountry ?? ''}
          hint={text.settings.countryHint}
          maxLength={2}
        />
        <TextField label={text.settings.currency} name="currency" defaultValue={settings.currency} maxLength={3} />
      </Group>
      <Group title={text.settings.listening}>
        <ChoiceField
          label={text.settings.extractor}
          name="extractor"
          defaultValue={settings.extractor}
          onChoose={keep}
          options={extractors.map((one) => [one, text.settings.extractors[one]])}
          hint={text.settings.extractorHint}
        />
        <span className="max-sm:hidden" />
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
      </Group>
      <Group title={text.settings.rules}>
        <div className="sm:col-span-2">
          <TextField
            label={text.settings.help}
            name="smsHelpMessage"
            defaultValue={settings.smsHelpMessage ?? ''}
            hint={text.settings.helpHint}
          />
        </div>
        <CheckField
          name="strictReferences"
          label={text.settings.strict}
          hint={text.settings.strictHint}
          defaultChecked={settings.strictReferences}
        />
        <CheckField
          name="webhookWritesNeedAdmin"
          label={text.settings.webhookAdmin}
          hint={text.settings.webhookAdminHint}
          defaultChecked={settings.webhookWritesNeedAdmin}
        />
      </Group>
      <Button type="submit" look="primary" className="justify-self-start" because={why} disabled={save.isPending}>
        {text.save}
      </Button>
    </form>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="grid gap-5 sm:grid-cols-2">
    <legend className="pb-3 font-semibold">{title}</legend>
    {children}
  </fieldset>
)
