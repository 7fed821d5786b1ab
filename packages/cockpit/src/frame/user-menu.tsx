// Who is signed in: theme, keys, signing out.
import { useQueryClient } from '@tanstack/react-query'
import { CircleUser, Keyboard, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { ownParley } from '../api/client'
import { useGo } from '../api/place'
import { useSession } from '../api/session'
import { text } from '../text'
import { Menu, MenuHeading, MenuItem, MenuLine } from '../ui/menu'
import { chooseTheme, chosenTheme, type Theme, themes } from './theme'

const icons: Readonly<Record<Theme, typeof Sun>> = { system: Monitor, light: Sun, dark: Moon }

export function UserMenu({ onKeys }: { onKeys: () => void }) {
  const user = useSession()?.user
  const queries = useQueryClient()
  const go = useGo()
  const [theme, setTheme] = useState(chosenTheme)
  const signOut = async () => {
    await ownParley.session.signOut()
    queries.clear()
    go('/sign-in')
  }
  const trigger = (
    <>
      <CircleUser size={17} aria-hidden className="shrink-0" strokeWidth={1.9} />
      <span className="truncate max-lg:sr-only">{user?.name}</span>
    </>
  )
  return (
    <Menu
      side="top"
      trigger={trigger}
      triggerClass="flex h-9 w-full items-center gap-2.5 rounded-md px-2.5 text-muted hover:bg-hover hover:text-ink max-lg:justify-center max-lg:px-0"
    >
      <MenuHeading>{text.theme}</MenuHeading>
      {themes.map((one) => {
        const Icon = icons[one]
        const pick = () => {
          chooseTheme(one)
          setTheme(one)
        }
        return (
          <MenuItem key={one} onPick={pick} isCurrent={one === theme} icon={<Icon size={15} aria-hidden />}>
            {text.themes[one]}
          </MenuItem>
        )
      })}
      <MenuLine />
      <MenuItem onPick={onKeys} icon={<Keyboard size={15} aria-hidden />}>
        {text.keys.help}
      </MenuItem>
      <MenuItem onPick={() => void signOut()} icon={<LogOut size={15} aria-hidden />}>
        {text.signOut}
      </MenuItem>
    </Menu>
  )
}
