// Settings: the organization, its numbers, what it works on and listens for, its members, what is kept, one's account.
import type { ComponentType } from 'react'
import { usePathParts, usePlace } from '../../api/place'
import { text } from '../../text'
import { Body, Page } from '../../ui/page'
import { Account } from './account'
import { Definitions } from './definitions'
import { Members } from './members'
import { Numbers } from './numbers'
import { OrganizationSettings } from './organization-settings'
import { Retention } from './retention'
import { WorkTypes } from './work-types'

interface PartProps {
  /** What follows in the address: which one, of those that the part lists. */
  readonly rest: readonly string[]
}

const parts = {
  organization: OrganizationSettings,
  numbers: Numbers,
  types: WorkTypes,
  definitions: Definitions,
  members: Members,
  retention: Retention,
  account: Account,
} satisfies Record<string, ComponentType<PartProps>>
type Part = keyof typeof parts
const names = Object.keys(parts).filter((name): name is Part => name in parts)

export function SettingsScreen() {
  const { at } = usePlace()
  const [, named, ...rest] = usePathParts('settings')
  const part = names.find((name) => name === named) ?? 'organization'
  const Shown: ComponentType<PartProps> = parts[part]
  return (
    <Page
      title={text.screens.settings}
      tabs={names.map((name) => [at('settings', name), text.settings[name], name === part] as const)}
    >
      <Body>
        <Shown rest={rest} />
      </Body>
    </Page>
  )
}
