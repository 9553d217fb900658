// Where the address says that the person is.
import { useMatches, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usePerson } from '../context.tsx'
import { useChosenCompany } from '../entity.ts'
import type { Search } from '../parts/list.tsx'
import { type Here, hereAlone, hereIn } from '../place.ts'

/** Null where the address names no organization that could exist. */
export function useHere(): Here | null {
  const { language } = usePerson()
  const { organization } = useParams({ strict: false })
  // Its client names it.
  const company = useChosenCompany()
  // Of the screen that is shown: the location is already the next one's while that loads.
  const isMine = useMatches({ select: (all) => all.at(-1)?.fullPath.startsWith('/me/') === true })
  return useMemo(() => {
    if (isMine) return hereAlone(language)
    if (organization === undefined) return hereIn(null, language)
    return /^[1-9]\d{0,14}$/.test(organization) ? hereIn(Number(organization), language) : null
  }, [organization, isMine, language, company])
}

export function useChangeOfSearch(): (search: Search) => void {
  const navigate = useNavigate()
  return (search) => void navigate({ to: '.', search })
}
