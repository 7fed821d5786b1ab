// `?`: the keys that work here and now.
import { text } from '../text'
import { Dialog } from '../ui/dialog'
import { useBoundKeys } from './keys'

const spelled = (key: string): string => key.replace('mod+k', text.commandKey).replace('Escape', 'esc')

export function KeysHelp({ onClose }: { onClose: () => void }) {
  const keys = useBoundKeys().filter(({ key }) => key !== '')
  const own = keys.filter(({ key }) => !key.startsWith('g ')).toReversed()
  const going = keys.filter(({ key }) => key.startsWith('g '))
  return (
    <Dialog title={text.keys.help} isOpen onClose={onClose}>
      <div className="grid gap-5">
        {[own, going].map((group, index) => (
          <dl key={index === 0 ? 'own' : 'going'} className="grid gap-1.5">
            {group.map(({ key, label }) => (
              <div key={key} className="flex items-center justify-between gap-4">
                <dt>{label}</dt>
                <dd className="flex gap-1">
                  {spelled(key)
                    .split(' ')
                    .map((part) => (
                      <kbd
                        key={part}
                        className="min-w-6 rounded-sm border border-line-strong bg-canvas px-1.5 text-center font-mono text-xs leading-5"
                      >
                        {part}
                      </kbd>
                    ))}
                </dd>
              </div>
            ))}
          </dl>
        ))}
      </div>
    </Dialog>
  )
}
