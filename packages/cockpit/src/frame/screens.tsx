// The screens in the order of the rail, with their keys and what waits in each.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import {
  ChartNoAxesColumn,
  ClipboardCheck,
  CodeXml,
  Inbox,
  type LucideIcon,
  Phone,
  Settings,
  Users,
  Wrench,
} from 'lucide-react'
import { useEffect } from 'react'
import { type Place, usePlace } from '../api/place'
import { text } from '../text'

export interface Screen {
  readonly name: string
  readonly label: string
  readonly key: string
  readonly icon: LucideIcon
  readonly href: string
  /** Below the line: not for the daily work. */
  readonly isAside: boolean
}

const all = [
  ['live', 'l', Phone, false],
  ['review', 'r', ClipboardCheck, false],
  ['inbox', 'i', Inbox, false],
  ['people', 'p', Users, false],
  ['work', 'w', Wrench, false],
  ['overview', 'o', ChartNoAxesColumn, false],
  ['developers', 'd', CodeXml, true],
  ['settings', 's', Settings, true],
] as const

export function useScreens(): readonly Screen[] {
  const { at } = usePlace()
  return all.map(([name, key, icon, isAside]) => ({
    name,
    label: text.screens[name],
    key,
    icon,
    href: at(name),
    isAside,
  }))
}

/** The page is called as its screen is. */
export function useTitle(): void {
  const current = useRouterState({ select: ({ location }) => location.pathname.split('/')[4] })
  const label = useScreens().find(({ name }) => name === current)?.label
  useEffect(() => {
    document.title = label === undefined ? text.product : `${label} · ${text.product}`
  }, [label])
}

const RUNNING_MS = 3_000

/** Calls that ring or run. */
export const runningCalls = ({ key, parley }: Place) =>
  queryOptions({
    queryKey: [...key, 'calls', 'running'],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        ['ringing', 'in_progress'].map((status) => parley.calls.list({ status, limit: 50 }, { signal })),
      )
      return pages.flatMap(({ data }) => data)
    },
    // That a call was answered is told by no event; while one rings or runs, it is asked for.
    refetchInterval: ({ state }) => ((state.data?.length ?? 0) > 0 ? RUNNING_MS : false),
  })

/** What waits in a screen, for the number beside its name. */
export function useCounts(): Readonly<Record<string, number | undefined>> {
  const place = usePlace()
  const { key, parley } = place
  const running = useQuery(runningCalls(place)).data
  const waiting = useQuery({
    queryKey: [...key, 'drafts', 'waiting', 'count'],
    queryFn: async ({ signal }) =>
      (await parley.drafts.list({ status: 'pending_review', limit: 1, count: true }, { signal })).count ?? 0,
  }).data
  const threads = useQuery({
    queryKey: [...key, 'threads', 'unread', 'count'],
    queryFn: async ({ signal }) => {
      const asked = { channel: 'sms', isUnread: true, limit: 1, count: true }
      return (await parley.conversations.list(asked, { signal })).count ?? 0
    },
  }).data
  return { live: running?.length, review: waiting, inbox: threads }
}
