// Where the reader is: organization and side stand in every address, and never anywhere else.
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { parleyOf, type Side, sides } from './client'

export interface Place {
  readonly organizationId: string
  readonly side: Side
  readonly parley: ReturnType<typeof parleyOf>
  /** What every query of this place is kept under. */
  readonly key: readonly [string, Side]
  /** The address of a screen here: `at('live', callId)`. */
  at(...parts: readonly string[]): string
}

const isSide = (value: string): value is Side => sides.some((side) => side === value)

export function placeOf(pathname: string): Place | undefined {
  const [, prefix, organizationId = '', side = ''] = pathname.split('/')
  if (prefix !== 'o' || organizationId === '' || !isSide(side)) return undefined
  const at = (...parts: readonly string[]) =>
    ['/o', organizationId, side, ...parts.map(encodeURIComponent)].join('/').replace(/%2F/g, '/')
  return { organizationId, side, parley: parleyOf(organizationId, side), key: [organizationId, side], at }
}

/** Only for what is shown under `/o/{organizationId}/{side}`. */
export function usePlace(): Place {
  const base = useRouterState({ select: ({ location }) => location.pathname.split('/').slice(0, 4).join('/') })
  const place = useMemo(() => placeOf(base), [base])
  if (place === undefined) throw new Error('This needs an address with organization and side')
  return place
}

/** The parts of the address after the screen's name. */
export function usePathParts(): readonly string[] {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return useMemo(() => path.split('/').slice(4).filter(Boolean).map(decodeURIComponent), [path])
}

/** Goes somewhere by address; with `replace` the way back stays as it was. */
export function useGo(): (href: string, options?: { replace?: boolean }) => void {
  const { history } = useRouter()
  return (href, { replace = false } = {}) => (replace ? history.replace(href) : history.push(href))
}

/** One value of the query string, and how to change it. Empty takes it out. */
export function useSearchParam(name: string): [string, (value: string) => void] {
  const search = useRouterState({ select: ({ location }) => location.searchStr })
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const go = useGo()
  const set = (value: string) => {
    const params = new URLSearchParams(search)
    if (value === '') params.delete(name)
    else params.set(name, value)
    const query = params.toString()
    go(query === '' ? path : `${path}?${query}`, { replace: true })
  }
  return [new URLSearchParams(search).get(name) ?? '', set]
}
