// Where the reader is: organization and environment stand in every address, and never anywhere else.
import { type Environment, environments } from '@parley/contract/scopes'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { useMemo } from 'react'
import { parleyOf } from './client'

export interface Place {
  readonly organizationId: string
  readonly environment: Environment
  readonly parley: ReturnType<typeof parleyOf>
  /** What every query of this place is kept under. */
  readonly key: readonly [string, Environment]
  /** The address of a screen here: `at('live', callId)`. */
  at(...parts: readonly string[]): string
}

const isEnvironment = (value: string): value is Environment => environments.some((one) => one === value)

export function placeOf(pathname: string): Place | undefined {
  const [, prefix, organizationId = '', environment = ''] = pathname.split('/')
  if (prefix !== 'o' || organizationId === '' || !isEnvironment(environment)) return undefined
  const at = (...parts: readonly string[]) =>
    ['/o', organizationId, environment, ...parts.map(encodeURIComponent)].join('/').replace(/%2F/g, '/')
  return {
    organizationId,
    environment,
    parley: parleyOf(organizationId, environment),
    key: [organizationId, environment],
    at,
  }
}

/** Only for what is shown under `/o/{organizationId}/{environment}`. */
export function usePlace(): Place {
  const base = useRouterState({ select: ({ location }) => location.pathname.split('/').slice(0, 4).join('/') })
  const place = useMemo(() => placeOf(base), [base])
  if (place === undefined) throw new Error('This needs an address with organization and environment')
  return place
}

/**
 * The parts of the address from the screen's name on. While another screen is still being loaded, the address is its
 * already: then there is nothing here for this one.
 */
export function usePathParts(screen: string): readonly string[] {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return useMemo(() => {
    const parts = path.split('/').slice(4).filter(Boolean).map(decodeURIComponent)
    return parts[0] === screen ? parts : [screen]
  }, [path, screen])
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
