// The numbers an organization owns: which it may use, and the one it sends from when nobody says which.
import { canMove, phoneNumberMoves, phoneNumbers, type Row } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { badRequest, illegalMove } from '../../store/api-error.js'
import type { Change } from '../../store/change.js'
import type { Reader } from '../../store/reader.js'
import { created, ok } from '../../store/response.js'
import { simulatedSenders } from '../../telephony/sandbox.js'
import { crud, endpointsOf } from '../generic/crud.js'
import { newRecord, nextVersion } from '../generic/record-values.js'
import type { WriteContext } from '../generic/system-caller.js'

export type PhoneNumber = Row<typeof phoneNumbers>

export const maySend = ({ status, capabilities }: PhoneNumber): boolean =>
  status === 'active' && capabilities.sms !== false

export async function numberWith(read: Reader, e164: string): Promise<PhoneNumber | undefined> {
  const [number] = await read.find(phoneNumbers, { e164 }, 1)
  return number
}

/** The number to send from when nobody says which. */
export async function defaultNumber(read: Reader): Promise<PhoneNumber | undefined> {
  return (await read.find(phoneNumbers, { isDefault: true })).find(maySend)
}

/**
 * A number for a sandbox whose organization has none to send from: the first simulated one that is free becomes the
 * default.
 */
export async function simulatedNumber(change: Change, input: WriteContext): Promise<PhoneNumber | undefined> {
  for (const e164 of simulatedSenders) {
    const taken = await numberWith(input.read, e164)
    if (taken && maySend(taken)) return taken
    if (taken) continue
    const number = newRecord(
      phoneNumbers,
      input.caller,
      { e164, provider: 'sandbox', label: 'Simulated number', isDefault: true },
      input.now,
    )
    change.insert(phoneNumbers, number)
    await takeDefault(change, input, number)
    return number
  }
  return undefined
}

/** A number that its provider has reported a text or a call on, as one of ours if nobody has told of it. */
export async function autoCreatedNumber(
  { read, caller, now }: WriteContext,
  { e164, connectionId, provider }: { e164: string; connectionId: string; provider: string },
): Promise<Change> {
  const known = await numberWith(read, e164)
  if (known) return ok(known)
  const values = { e164, provider, integrationConnectionId: connectionId, autoCreated: true }
  const number = newRecord(phoneNumbers, caller, values, now)
  return created(number).insert(phoneNumbers, number)
}

/**
 * One default at a time: the one before steps back in the same commit, and the fence keeps two from becoming it at
 * once.
 */
async function takeDefault(
  change: Change,
  { read, now }: Pick<WriteContext, 'read' | 'now'>,
  number: PhoneNumber,
): Promise<void> {
  change.fence(await read.fence('phone_number:default'))
  for (const other of await read.find(phoneNumbers, { isDefault: true })) {
    if (other.id !== number.id) change.update(phoneNumbers, nextVersion({ ...other, isDefault: false }, now))
  }
}

export const phoneNumberEndpoints: Endpoint[] = endpointsOf(
  crud(phoneNumbers, {
    complete(_input, number, before) {
      if (before && before.status !== number.status && !canMove(phoneNumberMoves, before.status, number.status)) {
        throw illegalMove(before.status, number.status, phoneNumberMoves[before.status])
      }
      requireHours(number)
      return number
    },
    async after({ change, input, record, before }) {
      if (record?.isDefault && !before?.isDefault) await takeDefault(change, input, record)
    },
  }),
)

/** Hours must lie in a time zone that exists, and closed days in the calendar. */
function requireHours({ routing }: PhoneNumber): void {
  const hours = routing?.hours
  if (!hours) return
  try {
    new Intl.DateTimeFormat('en', { timeZone: hours.timeZone })
  } catch {
    throw badRequest('routing.hours.timeZone', 'must be an IANA time zone, for example America/New_York', 'timezone')
  }
  for (const [index, date] of hours.closed.entries())
    if (!isDate(date))
      throw badRequest(`routing.hours.closed[${index}]`, 'must be a date, for example 2026-12-25', 'date')
}

const isDate = (text: string): boolean => {
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
