// One text of a thread, and how far it came where it is ours.
import type { Sms } from '@parley/sdk'
import { Check, CheckCheck, CircleAlert, Clock } from 'lucide-react'
import { text } from '../../text'
import { Moment } from '../../ui/moment'
import { RecordTools } from '../../ui/record-tools'

const ticks: Readonly<Record<string, typeof Check>> = {
  queued: Clock,
  sent: Check,
  delivered: CheckCheck,
  undelivered: CircleAlert,
  failed: CircleAlert,
}

export function Bubble({ sms }: { sms: Sms }) {
  const isOurs = sms.direction === 'outbound'
  const Tick = ticks[sms.status]
  const isWrong = sms.status === 'failed' || sms.status === 'undelivered'
  return (
    <li className={`group max-w-[85%] ${isOurs ? 'justify-self-end' : 'justify-self-start'}`}>
      <p
        className={`rounded-lg px-3.5 py-2 text-base break-words whitespace-pre-wrap ${isOurs ? 'bg-accent-soft text-ink' : 'bg-hover'}`}
      >
        {sms.body}
      </p>
      <p
        className={`flex items-center gap-1.5 px-1 pt-0.5 text-xs ${isWrong ? 'text-danger' : 'text-muted'} ${isOurs ? 'justify-end' : ''}`}
      >
        <Moment at={sms.sentAt} />
        {isOurs && Tick && (
          <>
            <Tick size={13} aria-hidden />
            {text.inbox.smsStatus[sms.status] ?? sms.status}
            {isWrong && sms.errorMessage !== null && `: ${sms.errorMessage}`}
          </>
        )}
        <span className="opacity-0 group-hover:opacity-100 focus-within:opacity-100">
          <RecordTools slug="sms" id={sms.id} />
        </span>
      </p>
    </li>
  )
}
