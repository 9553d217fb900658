// What the service finds for a text: in the organization, and for staff across all of them.
import { adminSearch, search as searchInside } from '@titular/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { usePerson } from '../context.tsx'
import { addressOf, type Here, hereIn } from '../place.ts'
import { kindByResource } from '../resources/directory.ts'
import { amountIn } from '../texts/texts.ts'

type Hit = {
  kind: string
  id: number
  label: string
  organization_id?: number | null
  organization_name?: string | null
}
export type Result = {
  key: string
  to: string
  label: string
  kind: string
  organization_name: string
  isHere: boolean
}

const AT_MOST = 20

/** Of the record; of the organization where the record has no page. */
function goalOf(here: Here, { kind, id, label, organization_id = here.organization }: Hit): string {
  if (kind === 'organization') return `/o/${id}`
  // Its address is the last word of what names a person.
  if (kind === 'user') return `/all/users?search=${encodeURIComponent(label.split(' ').at(-1) ?? label)}`
  const found = kindByResource(kind)
  const own = found && addressOf(here, found, { id, organization_id })
  return own ?? (organization_id === null ? '/all' : `/o/${organization_id}`)
}

export function useFound(q: string, organization: number | null) {
  const { isStaff, language } = usePerson()
  const all = hereIn(null, language)
  const here = hereIn(organization, language)
  const options = { placeholderData: keepPreviousData }
  const across = useQuery({
    queryKey: ['search', null, q],
    enabled: isStaff && q !== '',
    queryFn: async ({ signal }) => await all.client.call(adminSearch, { q, per_page: AT_MOST }, { signal }),
    ...options,
  })
  const within = useQuery({
    queryKey: ['search', organization, q],
    enabled: organization !== null && q !== '',
    queryFn: async ({ signal }) => await here.client.call(searchInside, { q, per_page: AT_MOST }, { signal }),
    ...options,
  })
  const own: readonly Hit[] = q === '' || organization === null ? [] : (within.data ?? [])
  const others: readonly Hit[] =
    q === '' ? [] : (across.data ?? []).filter((hit) => organization === null || hit.organization_id !== organization)
  const found: readonly Result[] = [
    ...own.map((hit) => ({
      ...hit,
      label: amountIn(language, hit.label),
      key: `here ${hit.kind} ${hit.id}`,
      to: goalOf(here, hit),
      organization_name: '',
      isHere: true,
    })),
    ...others.map((hit) => ({
      ...hit,
      label: amountIn(language, hit.label),
      key: `${hit.kind} ${hit.id}`,
      to: goalOf(all, hit),
      organization_name: hit.kind === 'organization' ? '' : (hit.organization_name ?? ''),
      isHere: false,
    })),
  ]
  return { found, error: across.error ?? within.error, isSearching: across.isFetching || within.isFetching }
}
