// What the homes show, and the question for it while they are still being loaded and drawn.
import { adminListQueue, listEntitlements, listTickets, type ParametersOf, type User } from '@titular/sdk'
import { keepPreviousData, type QueryClient, queryOptions, skipToken } from '@tanstack/react-query'
import { rightsOf } from '../../context.tsx'
import { type Here, hereIn } from '../../place.ts'
import { actionsIn, queueCounts } from '../counts.tsx'

const SHOWN = 6

export const entitlementsIn = ({ key, client }: Here, sees: boolean) =>
  queryOptions({
    queryKey: [key, 'home', 'entitlements'],
    queryFn: sees
      ? () => client.call(listEntitlements, { per_page: SHOWN, sort: 'expires_at', status: ['active', 'suspended'] })
      : skipToken,
  })

export const ticketsIn = ({ key, client }: Here, sees: boolean) =>
  queryOptions({
    queryKey: [key, 'home', 'tickets'],
    queryFn: sees
      ? () => client.call(listTickets, { per_page: SHOWN, status: ['open', 'in_progress', 'waiting'] })
      : skipToken,
  })

export const FIRST_OF_QUEUE = { page: 1, per_page: 25 }

export const queueIn = ({ key, client }: Here, asked: ParametersOf<typeof adminListQueue>) =>
  queryOptions({
    queryKey: [key, 'queue', asked],
    queryFn: () => client.answer(adminListQueue, asked),
    placeholderData: keepPreviousData,
  })

/** The organization in which a person begins: the one where they last were. */
export const firstOrganizationOf = ({ organizations, active_team_id: active }: User) =>
  organizations.find(({ id }) => id === active) ?? organizations[0]

/** Whose home the address is; null of another one. */
export function organizationIn(pathname: string): number | null {
  const named = /^\/app\/o\/([1-9]\d{0,14})$/.exec(pathname)?.[1]
  return named === undefined ? null : Number(named)
}

/** Of the home that the person gets. */
export function readAhead(queries: QueryClient, user: User): void {
  const { pathname, search } = globalThis.location
  const { isStaff, mayIn } = rightsOf(user)
  const isFirst = /^\/app\/?$/.test(pathname)
  if (isStaff && (isFirst || pathname === '/app/all') && search === '') {
    const here = hereIn(null, user.language)
    void queries.prefetchQuery(queueCounts(here))
    void queries.prefetchQuery(queueIn(here, FIRST_OF_QUEUE))
    return
  }
  const organization = isFirst
    ? firstOrganizationOf(user)
    : user.organizations.find(({ id }) => id === organizationIn(pathname))
  if (!organization) return
  const here = hereIn(organization.id, user.language)
  const sees = mayIn(here, 'entitlements', 'read')
  void queries.prefetchQuery(actionsIn(here))
  if (!sees) return
  void queries.prefetchQuery(entitlementsIn(here, sees))
  void queries.prefetchQuery(ticketsIn(here, sees))
}
