// Which address shows what. Every screen is a chunk of its own, loaded when it is first gone to.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, Outlet } from '@tanstack/react-router'
import { Entrance } from './frame/entrance'
import { NotFound } from './frame/not-found'
import { PlaceFrame } from './frame/place-frame'
import { Failure } from './ui/states'

const rootRoute = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

const entrance = createRoute({ getParentRoute: () => rootRoute, path: '/', component: Entrance })
const signIn = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./screens/sign-in/sign-in-screen'), 'SignInScreen'),
})
const place = createRoute({
  getParentRoute: () => rootRoute,
  path: '/o/$organizationId/$environment',
  component: PlaceFrame,
})

/** One screen with everything below its address: the screen itself reads the rest. */
const screen = <Name extends string>(path: Name, component: ReturnType<typeof lazyRouteComponent>) =>
  [path, `${path}/$`].map((full) => createRoute({ getParentRoute: () => place, path: full, component }))

const screens = [
  ...screen(
    'live',
    lazyRouteComponent(() => import('./screens/live/live-screen'), 'LiveScreen'),
  ),
  ...screen(
    'review',
    lazyRouteComponent(() => import('./screens/review/review-screen'), 'ReviewScreen'),
  ),
  ...screen(
    'inbox',
    lazyRouteComponent(() => import('./screens/inbox/inbox-screen'), 'InboxScreen'),
  ),
  ...screen(
    'people',
    lazyRouteComponent(() => import('./screens/people/people-screen'), 'PeopleScreen'),
  ),
  ...screen(
    'work',
    lazyRouteComponent(() => import('./screens/work/work-screen'), 'WorkScreen'),
  ),
  ...screen(
    'overview',
    lazyRouteComponent(() => import('./screens/overview/overview-screen'), 'OverviewScreen'),
  ),
  ...screen(
    'developers',
    lazyRouteComponent(() => import('./screens/developers/developers-screen'), 'DevelopersScreen'),
  ),
  ...screen(
    'settings',
    lazyRouteComponent(() => import('./screens/settings/settings-screen'), 'SettingsScreen'),
  ),
]

export const router = createRouter({
  routeTree: rootRoute.addChildren([entrance, signIn, place.addChildren(screens)]),
  // A screen that breaks leaves the frame and the way elsewhere standing.
  defaultErrorComponent: ({ error, reset }) => <Failure error={error} onRetry={reset} />,
  // Plain query strings, as people write them.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const query = new URLSearchParams(Object.entries(search).map(([name, value]) => [name, String(value)])).toString()
    return query === '' ? '' : `?${query}`
  },
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
