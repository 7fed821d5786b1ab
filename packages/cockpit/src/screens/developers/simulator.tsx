// The simulator: a button for everything that can happen on a telephone, watched where it arrives.
import { MessageSquareText, PhoneIncoming, PhoneMissed, Play, Voicemail, Workflow } from 'lucide-react'
import { useState } from 'react'
import { usePlayCall } from '../../frame/play-call'
import { text } from '../../text'
import { ChoiceField } from '../../ui/field'
import { Body } from '../../ui/page'

const icons = {
  full_intake: Workflow,
  inbound_call: PhoneIncoming,
  missed_call: PhoneMissed,
  voicemail: Voicemail,
  inbound_sms: MessageSquareText,
} as const
const speeds = ['1', '4', '20', '100']
const order = ['full_intake', 'inbound_call', 'missed_call', 'voicemail', 'inbound_sms'] as const
const scriptNames = ['leaking_sink', 'legal_matter', 'tow', 'clinic_appointment'] as const

export function Simulator() {
  const play = usePlayCall()
  const [script, setScript] = useState<string>(scriptNames[0])
  const [speed, setSpeed] = useState('4')
  return (
    <Body>
      <div className="grid max-w-3xl gap-6">
        <p className="text-muted">{text.developers.simulatorIntro}</p>
        <div className="grid gap-4 sm:grid-cols-2">
          <ChoiceField
            label={text.developers.script}
            value={script}
            onChoose={setScript}
            options={scriptNames.map((name) => [name, text.developers.scripts[name]])}
          />
          <ChoiceField
            label={text.developers.speed}
            value={speed}
            onChoose={setSpeed}
            options={speeds.map((one) => [one, text.developers.times(one)])}
          />
        </div>
        <ul className="grid gap-3 sm:grid-cols-2">
          {order.map((scenario) => {
            const Icon = icons[scenario]
            const { title, body } = text.developers.scenarios[scenario]
            return (
              <li key={scenario}>
                <button
                  type="button"
                  disabled={play.isPending}
                  onClick={() => play.mutate({ scenario, script, speed: Number(speed) })}
                  className="group flex h-full w-full items-start gap-3 rounded-md border border-line bg-surface p-4 text-start hover:border-accent"
                >
                  <Icon size={18} aria-hidden className="mt-0.5 shrink-0 text-accent" />
                  <span className="flex-1">
                    <span className="block font-semibold">{title}</span>
                    <span className="text-muted">{body}</span>
                  </span>
                  <Play size={15} aria-hidden className="mt-0.5 text-muted group-hover:text-accent" />
                </button>
              </li>
            )
          })}
        </ul>
      </div>
    </Body>
  )
}
