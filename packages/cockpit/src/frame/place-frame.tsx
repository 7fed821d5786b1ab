// The frame around every screen: the edge that tells the environment, the rail, the screen itself, and what floats.

import { useQuery } from '@tanstack/react-query'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { placeOf, useGo } from '../api/place'
import { sessionQuery } from '../api/session'
import { FeedProvider } from '../api/use-feed'
import { text } from '../text'
import { Failure, Waiting } from '../ui/states'
import { BottomBar } from './bottom-bar'
import { ConnectionNote } from './connection-note'
import { rememberPlace } from './entrance'
import { useKeys } from './keys'
import { NotFound } from './not-found'
import { Rail } from './rail'
import { useScreens, useTitle } from './screens'
import { Toasts, undoLast } from './toasts'

const loadCommandBar = () => import('./command-bar').then(({ CommandBar }) => ({ default: CommandBar }))
const CommandBar = lazy(loadCommandBar)
const KeysHelp = lazy(() => import('./keys-help').then(({ KeysHelp }) => ({ default: KeysHelp })))

export function PlaceFrame() {
  const base = useRouterState({ select: ({ location }) => location.pathname.split('/').slice(0, 4).join('/') })
  const place = placeOf(base)
  const { data, error, refetch } = useQuery(sessionQuery)
  const go = useGo()
  const isOut = data !== undefined && data.user === null
  useEffect(() => {
    if (isOut) go(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`, { replace: true })
  }, [isOut, go])
  if (place === undefined) return <NotFound />
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (data === undefined || isOut) return null
  if (!data.organizations.some(({ id }) => id === place.organizationId)) return <NotFound />
  return <Framed key={base} base={base} isSandbox={place.environment === 'sandbox'} />
}

function Framed({ base, isSandbox }: { base: string; isSandbox: boolean }) {
  const [isSearching, setSearching] = useState(false)
  const [showsKeys, setShowsKeys] = useState(false)
  const screens = useScreens()
  const go = useGo()
  useEffect(() => rememberPlace(base), [base])
  useTitle()
  useEffect(() => {
    // Once the reader does something, so that the bar is there before the first letter that is meant for it.
    const begin = () => void loadCommandBar()
    addEventListener('pointermove', begin, { once: true })
    addEventListener('keydown', begin, { once: true })
  }, [])
  useKeys([
    { key: 'mod+k', label: text.keys.command, run: () => setSearching(true), always: true },
    { key: '?', label: text.keys.help, run: () => setShowsKeys(true) },
    { key: 'u', label: text.keys.undo, run: undoLast },
    ...screens.map(({ key, label, href }) => ({ key: `g ${key}`, label: text.keys.goTo(label), run: () => go(href) })),
  ])
  return (
    <FeedProvider>
      <div className="flex h-full flex-col">
        <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-raised focus:p-2">
          {text.skip}
        </a>
        {isSandbox && <div aria-hidden className="h-1 shrink-0 bg-warning-edge" />}
        <div className="flex min-h-0 flex-1">
          <Rail onSearch={() => setSearching(true)} onKeys={() => setShowsKeys(true)} />
          <div className="flex min-w-0 flex-1 flex-col">
            <ConnectionNote />
            <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
              <Suspense fallback={<Waiting />}>
                <Outlet />
              </Suspense>
            </main>
          </div>
        </div>
        <BottomBar onSearch={() => setSearching(true)} />
        <Toasts />
        <Suspense>
          {isSearching && <CommandBar onClose={() => setSearching(false)} onKeys={() => setShowsKeys(true)} />}
          {showsKeys && <KeysHelp onClose={() => setShowsKeys(false)} />}
        </Suspense>
      </div>
    </FeedProvider>
  )
}
