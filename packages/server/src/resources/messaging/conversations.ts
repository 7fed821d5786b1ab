// Threads: the conversation that every text, call, voicemail and mail belongs to, found or made by its two ends, and
// the messages in it.
import { conversations, type ExternalRef, messages, type Row } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import type { Change } from '../../store/change.js'
import type { Reader } from '../../store/reader.js'
import { crud, endpointsOf } from '../generic/crud.js'
import { changedFields, newRecord, nextVersion } from '../generic/record-values.js'
import type { WriteContext } from '../generic/system-caller.js'

export type Conversation = Row<typeof conversations>
export type Message = Row<typeof messages>

/** The two ends of a thread, and what is known when it begins. */
export interface Thread {
  readonly channel: Message['channel']
  /** The number or address of the other side; null when it was withheld. */
  readonly participantAddress: string | null
  readonly ourAddress: string | null
  readonly phoneNumberId?: string | null
  readonly personId?: string | null
  readonly direction: Message['direction']
}

const PREVIEW_CHARACTERS = 140

/**
 * The thread between two ends on a channel: the oldest one there is, or one that becomes part of the change. Whoever
 * withholds a number shares none.
 */
export async function threadFor(change: Change, input: WriteContext, thread: Thread): Promise<Conversation> {
  const { participantAddress, ...rest } = thread
  if (participantAddress === null) return beginThread(change, input, thread)
  return threadBetween(change, input, { ...rest, participantAddress })
}

async function threadBetween(change: Change, input: WriteContext, thread: Thread & Ends): Promise<Conversation> {
  const known = pendingThread(change, thread) ?? (await findThread(input.read, thread))
  if (known) return known
  // Only who is about to begin a thread pays for the fence, and must look again under it.
  const fence = await input.read.fence(threadFence(thread))
  const found = await findThread(input.read, thread)
  if (found) return found
  change.fence(fence)
  return beginThread(change, input, thread)
}

function beginThread(
  change: Change,
  input: WriteContext,
  { phoneNumberId = null, personId = null, ...ends }: Thread,
): Conversation {
  const conversation = newRecord(
    conversations,
    input.caller,
    { ...ends, phoneNumberId, personId, startedAt: input.now.toISOString() },
    input.now,
  )
  change.insert(conversations, conversation)
  return conversation
}

/** The thread that a voicemail is in. */
export async function threadOfVoicemail(
  change: Change,
  read: Reader,
  voicemailId: string,
): Promise<Conversation | undefined> {
  const isOfIt = (message: Message) => message.voicemailId === voicemailId
  const message = change.pending(messages).find(isOfIt) ?? (await read.find(messages, { voicemailId }, 1))[0]
  return (
    message &&
    (change.pending(conversations).find(({ id }) => id === message.threadId) ??
      read.get(conversations, message.threadId))
  )
}

type Ends = Pick<Conversation, 'channel' | 'ourAddress'> & { participantAddress: string }

const isBetween =
  ({ channel, participantAddress, ourAddress }: Ends) =>
  (one: Conversation): boolean =>
    one.channel === channel && one.participantAddress === participantAddress && one.ourAddress === ourAddress

const pendingThread = (change: Change, thread: Ends): Conversation | undefined =>
  change.pending(conversations).find(isBetween(thread))

async function findThread(
  read: Reader,
  { channel, participantAddress, ourAddress }: Ends,
): Promise<Conversation | undefined> {
  const [found] = await read.find(conversations, { channel, participantAddress, ourAddress }, 1)
  return found
}

/** The thread with someone on a channel in which something was said last. */
export async function latestThread(
  read: Reader,
  channel: Thread['channel'],
  participantAddress: string,
): Promise<Conversation | undefined> {
  const threads = await read.find(conversations, { channel, participantAddress }, 100)
  return threads.reduce<Conversation | undefined>(
    (last, one) => (last && (last.lastMessageAt ?? '') >= (one.lastMessageAt ?? '') ? last : one),
    undefined,
  )
}

const threadFence = ({ channel, participantAddress, ourAddress }: Ends): string =>
  `thread:${channel}:${participantAddress}:${ourAddress ?? ''}`

export interface NewMessage {
  readonly thread: Conversation
  readonly direction: Message['direction']
  readonly channel: Message['channel']
  readonly body: string
  readonly from: string | null
  readonly to: string | null
  readonly personId?: string | null
  readonly smsId?: string | null
  readonly callSessionId?: string | null
  readonly voicemailId?: string | null
  readonly externalRefs?: readonly ExternalRef[]
  /** When it was said, if not now: a message that comes late does not become the thread's last one. */
  readonly at?: string
}

/**
 * Adds a message to its thread, which may itself be pending, and counts it there. An inbound message opens a thread
 * that was put aside.
 */
export function addMessage(
  change: Change,
  input: WriteContext,
  { thread, at = input.now.toISOString(), ...values }: NewMessage,
): Message {
  const message = newRecord(messages, input.caller, { ...values, threadId: thread.id }, input.now)
  change.insert(messages, message)
  const pending = change.pending(conversations).find(({ id }) => id === thread.id)
  const current = pending ?? thread
  const counted = withMessage(current, values, at)
  change.update(conversations, pending ? { ...counted, version: pending.version + 1 } : nextVersion(counted, input.now))
  return message
}

/** What a message says by now. The thread shows it where it is the last one. */
export async function reviseMessage(
  change: Change,
  { read, now }: WriteContext,
  message: Message,
  values: Partial<Message>,
): Promise<void> {
  const revised = { ...message, ...values }
  if (changedFields(messages, message, revised).length === 0) return
  change.update(messages, nextVersion(revised, now))
  if (revised.body === message.body) return
  const [last] = await read.list(messages, {
    conditions: [{ field: 'threadId', op: '=', value: message.threadId }],
    limit: 1,
  })
  const thread = last?.id === message.id ? await read.get(conversations, message.threadId) : undefined
  const lastMessagePreview = previewOf(revised.body)
  if (thread && thread.lastMessagePreview !== lastMessagePreview)
    change.update(conversations, nextVersion({ ...thread, lastMessagePreview }, now))
}

function withMessage(
  thread: Conversation,
  { body, direction, personId }: Omit<NewMessage, 'thread'>,
  at: string,
): Conversation {
  const isLast = thread.lastMessageAt === null || at >= thread.lastMessageAt
  return {
    ...thread,
    status: direction === 'inbound' ? 'open' : thread.status,
    personId: thread.personId ?? personId ?? null,
    messageCount: thread.messageCount + 1,
    ...(isLast && { lastMessageAt: at, lastMessagePreview: previewOf(body) }),
  }
}

/** Whole characters only: half of an emoji is not valid text. */
function previewOf(body: string): string | null {
  const line = body.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length > PREVIEW_CHARACTERS
    ? `${characters.slice(0, PREVIEW_CHARACTERS - 1).join('')}…`
    : line || null
}

export const conversationEndpoints: Endpoint[] = endpointsOf(
  crud(conversations, {
    complete: (_input, conversation) => ({
      ...conversation,
      startedAt: conversation.startedAt ?? conversation.createdAt,
    }),
    async after({ change, input, record, before }) {
      if (!record?.participantAddress) return
      const ends = {
        channel: record.channel,
        participantAddress: record.participantAddress,
        ourAddress: record.ourAddress,
      }
      // Whoever is about to begin the same thread must look again.
      if (before === undefined || !isBetween(ends)(before)) change.fence(await input.read.fence(threadFence(ends)))
    },
  }),
)
