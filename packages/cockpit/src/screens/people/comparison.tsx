// Two records side by side, with what differs, and the choice which one stays.
import type { Customer, Person } from '@parley/sdk'
import { text } from '../../text'
import { Button } from '../../ui/button'
import { Moment } from '../../ui/moment'
import { phoneText, sentence, valueText } from '../../ui/words'
import { type Kind, useMerging } from './use-merging'

const compared: Readonly<Record<Kind, readonly string[]>> = {
  people: ['displayName', 'firstName', 'lastName', 'legalName', 'primaryPhone', 'primaryEmail'],
  customers: ['displayName', 'customerType', 'status', 'customerNumber', 'primaryPhone', 'primaryEmail', 'tags'],
}

interface ComparisonProps {
  readonly kind: Kind
  readonly records: readonly [Person | Customer, Person | Customer]
  readonly onDone: () => void
}

export function Comparison({ kind, records, onDone }: ComparisonProps) {
  const { merge } = useMerging(kind)
  const [own, other] = records
  const keep = (stays: Person | Customer, goes: Person | Customer) =>
    merge.mutate({ stays, goes }, { onSuccess: onDone })
  const fields = [...compared[kind], ...customFieldsOf(records)].filter((field) =>
    records.some((record) => said(record, field) !== text.nothing),
  )
  return (
    <>
      <p className="pb-4 text-muted">{text.people.keepHint}</p>
      <table className="w-full table-fixed border-collapse text-start">
        <tbody>
          {fields.map((field) => (
            <ComparedRow key={field} field={field} values={[said(own, field), said(other, field)]} />
          ))}
          <tr className="border-b border-line">
            <RowHead>{text.people.since}</RowHead>
            {records.map(({ id, createdAt }) => (
              <td key={id} className="py-1.5 pe-3">
                <Moment at={createdAt} />
              </td>
            ))}
          </tr>
          <tr>
            <td />
            {records.map((record, index) => (
              <td key={record.id} className="pt-3 pe-3 align-top">
                <Button
                  look={index === 0 ? 'primary' : 'plain'}
                  disabled={merge.isPending}
                  onClick={() => keep(record, index === 0 ? other : own)}
                  className="h-auto! min-h-8 max-w-full py-1 text-start wrap-anywhere whitespace-normal! max-sm:min-h-11"
                >
                  {text.people.keep(record.displayName)}
                </Button>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </>
  )
}

const RowHead = ({ children }: { children: string }) => (
  <th scope="row" className="w-28 py-1.5 pe-3 text-start align-top font-normal text-muted max-sm:w-18">
    {children}
  </th>
)

/** Where the two say different things, both are set off. */
function ComparedRow({ field, values }: { field: string; values: readonly [string, string] }) {
  const differs = values[0] !== values[1] && !values.includes(text.nothing)
  const name = field.replace(/^customFields\./, '')
  return (
    <tr className="border-b border-line">
      <RowHead>{text.fields[name] ?? sentence(name)}</RowHead>
      {values.map((value, index) => (
        <td
          // biome-ignore lint/suspicious/noArrayIndexKey: there are two, which change places with nobody.
          key={index}
          className={`py-1.5 pe-3 align-top wrap-anywhere ${differs ? 'font-medium' : 'text-muted'}`}
        >
          {value}
        </td>
      ))}
    </tr>
  )
}

const customFieldsOf = (records: ComparisonProps['records']): string[] => [
  ...new Set(records.flatMap(({ customFields }) => Object.keys(customFields).map((key) => `customFields.${key}`))),
]

function said(record: Person | Customer, field: string): string {
  const key = /^customFields\.(.*)$/.exec(field)?.[1]
  const value: unknown = key === undefined ? Reflect.get(record, field) : record.customFields[key]
  return field === 'primaryPhone' && typeof value === 'string' ? phoneText(value) : valueText(value)
}
