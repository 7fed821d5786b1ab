// What can be done by name from anywhere.
import { FlaskConical, Keyboard, type LucideIcon, Moon, Play, Radio, Sun, Zap } from 'lucide-react'
import { useGo, usePlace } from '../api/place'
import { text } from '../text'
import { useBoundKeys } from './keys'
import { usePlayCall } from './play-call'
import { useScreens } from './screens'
import { chooseTheme } from './theme'

export interface Command {
  readonly id: string
  readonly label: string
  readonly detail?: string | undefined
  /** Where the words that were searched stand in the detail. */
  readonly marks?: readonly (readonly number[])[] | undefined
  readonly kind: string
  readonly icon: LucideIcon
  readonly run: () => void
}

export function useCommands(onKeys: () => void): readonly Command[] {
  const { environment, organizationId } = usePlace()
  const go = useGo()
  const play = usePlayCall()
  const other = environment === 'sandbox' ? 'production' : 'sandbox'
  const act = (id: string, label: string, icon: LucideIcon, run: () => void): Command => ({
    id,
    label,
    icon,
    run,
    kind: text.action,
  })
  const ofPage = useBoundKeys().filter(({ key }) => !/^(g .|mod\+k|\?)$/.test(key))
  return [
    // What the page can do itself, the newest binding first; the same words mean the same act.
    ...[...new Map(ofPage.map(({ label, run }) => [label, run]))]
      .toReversed()
      .map(([label, run]) => act(`page ${label}`, label, Zap, run)),
    ...useScreens().map(({ name, label, icon, href }) => ({
      id: name,
      label: text.keys.goTo(label),
      icon,
      kind: text.screen,
      run: () => go(href),
    })),
    ...(environment === 'sandbox'
      ? [act('play', text.playCall, Play, () => play.mutate({ scenario: 'full_intake' }))]
      : []),
    act('environment', text.switchTo(text.environments[other]), other === 'sandbox' ? FlaskConical : Radio, () =>
      go(`/o/${organizationId}/${other}/live`),
    ),
    act('dark', text.switchTo(text.themes.dark), Moon, () => chooseTheme('dark')),
    act('light', text.switchTo(text.themes.light), Sun, () => chooseTheme('light')),
    act('keys', text.keys.help, Keyboard, onKeys),
  ]
}
