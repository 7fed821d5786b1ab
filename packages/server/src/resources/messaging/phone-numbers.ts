// The numbers an organization owns: which it may use, and the one it sends from when nobody says which.
import { canMove, phoneNumberMoves, phoneNumbers, type Row } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { illegalMove } from '../../store/api-error.js'
import { fenceNamed, finding, type Reader } from '../../store/reader.js'
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
      return number
    },
    async after({ work, record, before }) {
      if (record?.isDefault && !before?.isDefault) await takeDefault(work, record)
    },
  }),
)
