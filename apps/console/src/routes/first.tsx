// Where everybody begins: staff across all organizations, customers in the one where they last were.
import { Loader, Text } from '@mantine/core'
import { Navigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { usePerson } from '../context.tsx'
import { NotFound } from './frame.tsx'
import { firstOrganizationOf, organizationIn } from './home/home-queries.ts'
import { useChangeOfSearch, useHere } from './where.ts'
import type { Search } from '../parts/list.tsx'

const loadHome = async () => ({ default: (await import('./home/home.tsx')).Home })
const Home = lazy(loadHome)

/** While the service still says who is signed in. */
export function loadFirst(): void {
  if (organizationIn(globalThis.location.pathname) !== null) loadHome().catch(() => {})
}

const Glance = lazy(async () => ({ default: (await import('./glance/glance.tsx')).Glance }))

export function First() {
  const { user, texts, isStaff } = usePerson()
  const organization = firstOrganizationOf(user)
  if (isStaff) return <Navigate to="/all" replace />
  if (!organization) return <Text>{texts.app.noOrganization}</Text>
  return <Navigate to="/o/$organization" params={{ organization: String(organization.id) }} replace />
}

export function HomeScreen() {
  const { user, isStaff } = usePerson()
  const search: Search = useSearch({ strict: false })
  const onSearch = useChangeOfSearch()
  const here = useHere()
  if (!here) return <NotFound />
  const isMember = user.organizations.some(({ id }) => id === here.organization)
  return (
    <Suspense fallback={<Loader />}>
      {isStaff && !isMember ? (
        <Glance key={here.key} {...{ here, search, onSearch }} />
      ) : (
        <Home key={here.key} here={here} />
      )}
    </Suspense>
  )
}
