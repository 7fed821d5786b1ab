// Messages of every channel. Texts, calls and voicemails make theirs themselves; mail is recorded here by whoever
// integrates a mailbox.
import { conversations, createBody, messages, ruledBody, type SentToCreate } from '@parley/contract'
import { type Endpoint, endpoint, type Input } from '../../http/endpoint.js'
import { toEmail, wireFormats } from '../../http/wire-formats.js'
import { badRequest } from '../../store/api-error.js'
import type { Answer } from '../../store/response.js'
import { changeRecord, crud } from '../generic/crud.js'
import { findByRefs, writeRefs } from '../generic/external-ref-rows.js'
import { newRecord, patched } from '../generic/record-values.js'
import { requireRecord } from '../generic/reference-checks.js'
import { findPersonByEmail } from '../people/people.js'
import { addMessage, type Conversation, type Message, type Thread, threadFor } from './conversations.js'

type SentMail = SentToCreate<typeof messages>

async function recordMail(input: Input<SentMail>): Promise<Answer<Message>> {
  const { work, body } = input
  if (body.channel !== 'email')
    throw badRequest('channel', 'must be email: texts, calls and voicemails make their own messages', 'channel')
  const known = await findByRefs(work, messages, body.externalRefs)
  if (known) return correctMail(input, known)
  const mail = { direction: body.direction, body: body.body, from: addressIn(body, 'from'), to: addressIn(body, 'to') }
  const [participantAddress, ourAddress] = mail.direction === 'inbound' ? [mail.from, mail.to] : [mail.to, mail.from]
  const personId = (await findPersonByEmail(work, participantAddress))?.id ?? null
  const values = { ...mail, channel: 'email' as const, personId, externalRefs: body.externalRefs ?? [] }
  const thread = await threadOf(input, {
    channel: 'email',
    participantAddress,
    ourAddress,
    personId,
    direction: mail.direction,
  })
  const message = thread
    ? addMessage(work, { ...values, thread })
    : work.insert(messages, newRecord(messages, work, { ...values, threadId: body.threadId }))
  await writeRefs(work, messages, undefined, message)
  return work.respond(201, message)
}

/**
 * The thread that was named, else the one of the two addresses; undefined when the named one is not there, which is no
 * error unless the tenant's references are strict.
 */
async function threadOf(input: Input<SentMail>, ends: Thread): Promise<Conversation | undefined> {
  const { work } = input
  const { threadId } = input.body
  if (typeof threadId !== 'string') return threadFor(work, ends)
  const thread = await work.get(conversations, threadId)
  if (thread === undefined && input.caller.settings.strictReferences)
    await requireRecord(work, conversations, threadId, 'threadId')
  if (thread && thread.channel !== 'email')
    throw badRequest('threadId', `names a conversation of channel ${thread.channel}`, 'channel')
  return thread
}

/** Mail that is pushed again under the same external reference may correct what it says, not where it belongs. */
function correctMail(input: Input<SentMail>, known: Message): Promise<Answer<Message>> {
  const { body, externalRefs } = input.body
  const values = { body, ...(externalRefs !== undefined && { externalRefs }) }
  return changeRecord(messages, {}, { ...input, body: values }, known, patched(messages, known, values))
}

function addressIn(body: SentMail, field: 'from' | 'to'): string {
  const value = body[field]
  const format = wireFormats['email']
  if (typeof value !== 'string' || value === '') throw badRequest(field, 'is required for mail', 'required')
  if (format === undefined || !format.isValid(value))
    throw badRequest(field, format?.expected ?? 'must be an e-mail address', 'format')
  return toEmail(value)
}

const address = { type: 'string', pattern: wireFormats['email']?.patterns?.taken }
const ofMail = {
  required: ['channel', 'direction', 'body', 'from', 'to'],
  properties: { channel: { const: 'email' }, from: address, to: address },
}

const { list, get, create } = crud(messages, { documented: () => ofMail })

const recordMessage = endpoint({
  ...create,
  summary: 'Record an e-mail',
  description:
    'For mail integrations: `channel` must be `email`. The thread is found or made by the two addresses unless ' +
    '`threadId` names one.',
  body: ruledBody(createBody(messages), ofMail),
  handle: recordMail,
})

export const messageEndpoints: Endpoint[] = [list, get, recordMessage]
