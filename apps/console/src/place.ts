// Where a screen is: in an organization, across all of them, or with the person; with a client that speaks from there.
import type { Titular } from '@titular/sdk'
import { inside } from './client.ts'
import type { Place, usePerson } from './context.tsx'
import { chosenCompany } from './entity.ts'
import { isItem, keyOf, type Kind, type PlaceName, textOf } from './resources/resource.ts'
import type { Language } from './texts/texts.ts'

export type Here = Place & {
  place: PlaceName
  client: Titular
  /** In the key of what is kept. */
  key: string
  /** The beginning of addresses. */
  path: string
}

export const hereIn = (organization: number | null, language: Language): Here =>
  organization === null
    ? { place: 'all', organization, client: inside({ language }), key: 'all', path: '/all' }
    : {
        place: 'organization',
        organization,
        client: inside({ organization, language }),
        // What a request of another legal entity gave is not for this one.
        key: [organization, chosenCompany() ?? []].flat().join(' '),
        path: `/o/${organization}`,
      }

export const hereAlone = (language: Language): Here => ({
  ...hereIn(null, language),
  place: 'me',
  key: 'me',
  path: '/me',
})

type Viewer = Pick<ReturnType<typeof usePerson>, 'user' | 'mayIn'>
type Seen = { scope?: string | undefined; staffScope?: string | undefined }

/** Whether records of the kind, or a screen, are shown to the person there. */
export function isSeen({ user, mayIn }: Viewer, here: Here, { scope, staffScope = scope }: Seen): boolean {
  const isMember = user.organizations.some(({ id }) => id === here.organization)
  return scope === undefined || here.place === 'me' || mayIn(here, isMember ? scope : (staffScope ?? scope), 'read')
}

/** Of a record's page, in its organization where only that has one; null without a page. */
export function addressOf(here: Here, kind: Kind, record: unknown): string | null {
  if (!isItem(record)) return null
  const { name, places } = kind
  if (kind.opens) return kind.opens(record)
  const key = keyOf(kind, record)
  if (key === '') return null
  const address = `${name}/${encodeURIComponent(key)}`
  if (places[here.place] === 'page') return `${here.path}/${address}`
  const owner = textOf(record['organization_id'])
  return here.place === 'all' && owner !== '' && places.organization === 'page' ? `/o/${owner}/${address}` : null
}
