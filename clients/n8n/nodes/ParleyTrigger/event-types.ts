// Every type of event that Parley sends, as the options of the trigger.
import type { INodePropertyOptions } from 'n8n-workflow'

const types = [
  'appointment.scheduled',
  'call.ended',
  'call.missed',
  'call.started',
  'draft.approved',
  'draft.created',
  'draft.rejected',
  'draft.synced',
  'fact.confirmed',
  'fact.promoted',
  'fact.proposed',
  'fact.rejected',
  'fact.superseded',
  'note.added',
  'person.created',
  'person.updated',
  'signal.fired',
  'sms.delivered',
  'sms.failed',
  'sms.received',
  'sms.sent',
  'task.created',
  'voicemail.received',
  'voicemail.updated',
  'webhook.disabled',
  'work_record.created',
  'work_record.updated',
  'workflow.finished',
]

/** `work_record.created` is shown as "Work Record Created". */
export const eventOptions: INodePropertyOptions[] = types.map((value) => ({ name: titled(value), value }))

function titled(type: string): string {
  const words = type
    .split(/[._]/)
    .map((word) => (word === 'sms' ? 'SMS' : word.charAt(0).toUpperCase() + word.slice(1)))
  return words.join(' ')
}
