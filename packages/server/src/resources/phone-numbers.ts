// The numbers an organization owns: which it may use, and the one it sends from when nobody says which.
import { canMove, phoneNumberMoves, phoneNumbers, type Row, recordSchema } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../http/endpoint.js'
import { listAnswer } from '../http/respond.js'
import type { Answer } from '../store/answer.js'
import { illegalMove } from '../store/api-error.js'
import type { Change } from '../store/change.js'
import type { Reader } from '../store/records.js'
import { simulatedSenders } from '../telephony/sandbox.js'
import type { Acting } from './acting.js'
import { crud } from './crud.js'
import { unpagedSchema } from './envelopes.js'
import { askedFor, conditionsOf, orderOf } from './list.js'
import { newRecord, nextVersion } from './record.js'

export type PhoneNumber = Row<typeof phoneNumbers>

/** More numbers than this are not listed; nobody has them. */
const LISTED_MAX = 1_000

export const maySend = ({ status, capabilities }: PhoneNumber): boolean => status === 'active' && capabilities.sms !== false

export async function numberWith(read: Reader, e164: string): Promise<PhoneNumber | undefined> {
  const [number] = await read.find(phoneNumbers, { e164 }, 1)
  return number
}

/** The number to send from when nobody says which. */
export async function defaultNumber(read: Reader): Promise<PhoneNumber | undefined> {
  return (await read.find(phoneNumbers, { isDefault: true })).find(maySend)
}

/** A number for a sandbox whose organization has none to send from: the first simulated one that is free becomes the default. */
export async function simulatedNumber(change: Change, input: Acting): Promise<PhoneNumber | undefined> {
  for (const e164 of simulatedSenders) {
    const taken = await numberWith(input.read, e164)
    if (taken && maySend(taken)) return taken
    if (taken) continue
    const number = newRecord(phoneNumbers, input.caller, { e164, provider: 'sandbox', label: 'Simulated number', isDefault: true }, input.now)
    change.insert(phoneNumbers, number)
    await takeDefault(change, input, number)
    return number
  }
  return undefined
}

/** One default at a time: the one before steps back in the same commit, and the fence keeps two from becoming it at once. */
async function takeDefault(change: Change, { read, now }: Pick<Acting, 'read' | 'now'>, number: PhoneNumber): Promise<void> {
  change.fence(await read.fence('phone_number:default'))
  for (const other of await read.find(phoneNumbers, { isDefault: true })) {
    if (other.id !== number.id) change.update(phoneNumbers, nextVersion({ ...other, isDefault: false }, now))
  }
}

const generic = crud(phoneNumbers, {
  complete(_input, number, before) {
    if (before && before.status !== number.status && !canMove(phoneNumberMoves, before.status, number.status)) {
      throw illegalMove(before.status, number.status, phoneNumberMoves[before.status])
    }
    return number
  },
  async after({ change, input, record, before }) {
    if (record?.isDefault && !before?.isDefault) await takeDefault(change, input, record)
  },
})

/** The specification lists numbers without paging. */
async function listNumbers(input: Input): Promise<Answer> {
  const { read, query, requestId } = input
  const conditions = conditionsOf(phoneNumbers, query)
  const rows = await read.list(phoneNumbers, { conditions, ...askedFor(input), order: orderOf(query), limit: LISTED_MAX })
  return listAnswer(
    rows.map(({ text }) => text),
    requestId,
  )
}

function unpaged(listing: Endpoint): Endpoint {
  const { limit: _, cursor: __, count: ___, ...query } = listing.query ?? {}
  return endpoint({ ...listing, query, returns: { status: 200, schema: unpagedSchema(recordSchema(phoneNumbers), LISTED_MAX) }, handle: listNumbers })
}

export const phoneNumberEndpoints: Endpoint[] = generic.map((one) => (one.method === 'GET' && !one.path.includes('{') ? unpaged(one) : one))
