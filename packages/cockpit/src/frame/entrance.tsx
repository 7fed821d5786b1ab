// `/`: to where one was last, or to the sandbox of the first organization, or to the sign-in page.

import type { Session } from '@parley/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useGo } from '../api/place'
import { sessionQuery } from '../api/session'
import { Failure } from '../ui/states'

const LAST = 'parley last place'

/** Remembers where the reader is, for the next visit. */
export const rememberPlace = (base: string): void => localStorage.setItem(LAST, base)

export function firstPlace({ organizations }: Session): string {
  const last = localStorage.getItem(LAST) ?? ''
  const known = organizations.some(({ id }) => last.startsWith(`/o/${id}/`))
  const [first] = organizations
  return known ? `${last}/live` : first ? `/o/${first.id}/sandbox/live` : '/sign-in'
}

export function Entrance() {
  const { data, error, refetch } = useQuery(sessionQuery)
  const go = useGo()
  useEffect(() => {
    if (data) go(data.user === null ? '/sign-in' : firstPlace(data), { replace: true })
  }, [data, go])
  return error ? <Failure error={error} onRetry={() => void refetch()} /> : null
}
