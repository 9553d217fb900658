// The addresses: `/o/1/quotes/12` inside of an organization, `/all/quotes` across them, `/me/profile` of the person.
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { Broken } from './parts/broken.tsx'
import type { Search } from './parts/list.tsx'
import { Frame, NotFound } from './routes/frame.tsx'
import { First, HomeScreen } from './routes/first.tsx'

const MAX_LENGTH = 200

/** What an address may say of a screen: texts and numbers. */
const searchOf = (given: Record<string, unknown>): Search =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, string | number][] =>
      typeof value === 'number' || (typeof value === 'string' && value !== '' && value.length <= MAX_LENGTH)
        ? [[name, value]]
        : [],
    ),
  )

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound, validateSearch: searchOf })
const first = createRoute({ getParentRoute: () => root, path: '/', component: First })
const home = createRoute({ getParentRoute: () => root, path: '/o/$organization', component: HomeScreen })
const all = createRoute({
  getParentRoute: () => root,
  path: '/all',
  component: lazyRouteComponent(() => import('./routes/home/staff-home.tsx'), 'StaffHome'),
})
/** What devices show, short to type. */
const device = createRoute({
  getParentRoute: () => root,
  path: '/device',
  beforeLoad: ({ search }) =>
    redirect({ to: '/me/$name', params: { name: 'device' }, search, replace: true, throw: true }),
})
const named = lazyRouteComponent(() => import('./routes/named.tsx'), 'Named')
const one = lazyRouteComponent(() => import('./routes/named.tsx'), 'One')
const places = ['/o/$organization/$name', '/all/$name', '/me/$name'] as const

export const makeRouter = () =>
  createRouter({
    routeTree: root.addChildren([
      first,
      home,
      all,
      device,
      ...places.map((path) => createRoute({ getParentRoute: () => root, path, component: named })),
      ...places.map((path) => createRoute({ getParentRoute: () => root, path: `${path}/$id`, component: one })),
    ]),
    basepath: '/app',
    defaultErrorComponent: Broken,
  })

export type Router = ReturnType<typeof makeRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: Router
  }
}
