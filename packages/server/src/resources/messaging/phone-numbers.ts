// The numbers an organization owns: which it may use, and the one it sends from when nobody says which.
import { canMove, phoneNumberMoves, phoneNumbers, type Row } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { badRequest, illegalMove } from '../../store/api-error.js'
import { fenceNamed, finding, type Reader } from '../../store/reader.js'
import type { Answer } from '../../store/response.js'
import type { Work } from '../../store/work.js'
import { simulatedSenders } from '../../telephony/sandbox.js'
import { crud, endpointsOf } from '../generic/crud.js'
import { newRecord } from '../generic/record-values.js'

export type PhoneNumber = Row<typeof phoneNumbers>

export const maySend = ({ status, capabilities }: PhoneNumber): boolean =>
  status === 'active' && capabilities.sms !== false

export async function numberWith(read: Reader, e164: string): Promise<PhoneNumber | undefined> {
  const [[number]] = await read.lookUp(numberLookup(e164))
  return number
}

/** What `numberWith` looks up. */
export const numberLookup = (e164: string) => finding(phoneNumbers, { e164 }, 1)

/** The number to send from when nobody says which. */
export async function defaultNumber(read: Reader): Promise<PhoneNumber | undefined> {
  return (await read.find(phoneNumbers, { isDefault: true })).find(maySend)
}

/**
 * A number for a sandbox whose organization has none to send from: the first simulated one that is free becomes the
 * default.
 */
export async function simulatedNumber(work: Work): Promise<PhoneNumber | undefined> {
  for (const e164 of simulatedSenders) {
    const taken = await numberWith(work, e164)
    if (taken && maySend(taken)) return taken
    if (taken) continue
    const values = { e164, provider: 'sandbox', label: 'Simulated number', isDefault: true }
    const number = work.insert(phoneNumbers, newRecord(phoneNumbers, work, values))
    await takeDefault(work, number)
    return number
  }
  return undefined
}

/** A number that its provider has reported an SMS or a call on, as one of ours if nobody has told of it. */
export async function autoCreatedNumber(
  work: Work,
  { e164, connectionId, provider }: { e164: string; connectionId: string; provider: string },
): Promise<Answer<PhoneNumber>> {
  const known = await numberWith(work, e164)
  if (known) return work.respond(200, known)
  const values = { e164, provider, integrationConnectionId: connectionId, autoCreated: true }
  return work.respond(201, work.insert(phoneNumbers, newRecord(phoneNumbers, work, values)))
}

/**
 * One default at a time: the one before steps back in the same commit, and the fence keeps two from becoming it at
 * once.
 */
async function takeDefault(work: Work, number: PhoneNumber): Promise<void> {
  const [fence, defaults] = await work.lookUp(
    fenceNamed('phone_number:default'),
    finding(phoneNumbers, { isDefault: true }),
  )
  work.addFence(fence)
  for (const other of defaults) if (other.id !== number.id) work.update(phoneNumbers, { ...other, isDefault: false })
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
    async after({ work, record, before }) {
      if (record?.isDefault && !before?.isDefault) await takeDefault(work, record)
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
