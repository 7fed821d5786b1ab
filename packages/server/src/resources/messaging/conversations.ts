// Threads: the conversation that every SMS, call, voicemail and mail belongs to, found or made by its two ends, and
// the messages in it.
import { conversations, type ExternalRef, messages, type Row } from '@parley/contract'
import type { Endpoint } from '../../http/endpoint.js'
import { fenceNamed, findingBy, findingNewest, type Reader } from '../../store/reader.js'
import type { Work } from '../../store/work.js'
import { crud, endpointsOf } from '../generic/crud.js'
import { changedFields, newRecord } from '../generic/record-values.js'

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
export async function threadFor(work: Work, thread: Thread): Promise<Conversation> {
  const { participantAddress, channel, ourAddress } = thread
  if (participantAddress === null) return beginThread(work, thread)
  const [fence, [known]] = await work.lookUp(...threadLookups({ channel, participantAddress, ourAddress }))
  if (known) return known
  work.addFence(fence)
  return beginThread(work, thread)
}

/** What `threadFor` looks up. */
export const threadLookups = ({ channel, participantAddress, ourAddress }: Ends) =>
  [
    fenceNamed(threadFence({ channel, participantAddress, ourAddress })),
    findingBy('participantAddress', conversations, { channel, participantAddress, ourAddress }, 1),
  ] as const

function beginThread(work: Work, { phoneNumberId = null, personId = null, ...ends }: Thread): Conversation {
  const startedAt = work.now.toISOString()
  return work.insert(conversations, newRecord(conversations, work, { ...ends, phoneNumberId, personId, startedAt }))
}

/** The thread that a voicemail is in. */
export async function threadOfVoicemail(work: Work, voicemailId: string): Promise<Conversation | undefined> {
  const [message] = await work.find(messages, { voicemailId }, 1)
  return message && work.get(conversations, message.threadId)
}

type Ends = Pick<Conversation, 'channel' | 'ourAddress'> & { participantAddress: string }

const isBetween =
  ({ channel, participantAddress, ourAddress }: Ends) =>
  (one: Conversation): boolean =>
    one.channel === channel && one.participantAddress === participantAddress && one.ourAddress === ourAddress

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
 * Adds a message to its thread and counts it there. An inbound message opens a thread that was put aside.
 */
export function addMessage(work: Work, { thread, at = work.now.toISOString(), ...values }: NewMessage): Message {
  work.update(conversations, withMessage(work.current(conversations, thread), values, at))
  return work.insert(messages, newRecord(messages, work, { ...values, threadId: thread.id }))
}

/** What a message says by now. The thread shows it where it is the last one. */
export async function reviseMessage(work: Work, message: Message, values: Partial<Message>): Promise<void> {
  const revised = { ...message, ...values }
  if (changedFields(messages, message, revised).length === 0) return
  work.update(messages, revised)
  if (revised.body === message.body) return
  const [[last]] = await work.lookUp(findingNewest(messages, { threadId: message.threadId }, 1))
  const thread = last?.id === message.id ? await work.get(conversations, message.threadId) : undefined
  const lastMessagePreview = previewOf(revised.body)
  if (thread && thread.lastMessagePreview !== lastMessagePreview)
    work.update(conversations, { ...thread, lastMessagePreview })
}

function withMessage(
  thread: Conversation,
  { body, direction, channel, personId }: Omit<NewMessage, 'thread'>,
  at: string,
): Conversation {
  const isLast = thread.lastMessageAt === null || at >= thread.lastMessageAt
  return {
    ...thread,
    status: direction === 'inbound' ? 'open' : thread.status,
    personId: thread.personId ?? personId ?? null,
    messageCount: thread.messageCount + 1,
    ...(isToRead(direction, channel) && withUnread(Math.min(thread.unreadCount + 1, UNREAD_MAX))),
    ...(isLast && { lastMessageAt: at, lastMessagePreview: previewOf(body) }),
  }
}

/** Calls and voicemails are not read: they have been talked, or are listened to. */
const isToRead = (direction: Message['direction'], channel: Message['channel']): boolean =>
  direction === 'inbound' && channel !== 'voice'

/** What the field takes. */
const UNREAD_MAX = 1_000_000

const withUnread = (unreadCount: number) => ({ unreadCount, isUnread: unreadCount > 0 })

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
    complete({ body, now }, conversation, before) {
      const startedAt = conversation.startedAt ?? conversation.createdAt
      // Who replaces a thread without a word about reading has not read it.
      const { unreadCount } = before === undefined || 'unreadCount' in body ? conversation : before
      const isRead = unreadCount === 0 && (before?.unreadCount ?? 0) > 0
      return {
        ...conversation,
        startedAt,
        ...withUnread(unreadCount),
        ...(isRead && { lastReadAt: now.toISOString() }),
      }
    },
    async after({ work, record, before }) {
      if (!record?.participantAddress) return
      const ends = {
        channel: record.channel,
        participantAddress: record.participantAddress,
        ourAddress: record.ourAddress,
      }
      // Whoever is about to begin the same thread must look again.
      if (before === undefined || !isBetween(ends)(before)) work.addFence(await work.readFence(threadFence(ends)))
    },
  }),
)
