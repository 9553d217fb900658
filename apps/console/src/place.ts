// Where a screen is: in an organization, across all of them, or with the person; with a client that speaks from there.
import type { Titular } from '@titular/sdk'
import { inside } from './client.ts'
import type { Place } from './context.tsx'
import { isItem, keyOf, type Resource, textOf } from './resources/resource.ts'
import type { Language } from './texts/texts.ts'

export type Here = Place & {
  place: 'organization' | 'all' | 'me'
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
        key: String(organization),
        path: `/o/${organization}`,
      }

export const hereAlone = (language: Language): Here => ({
  ...hereIn(null, language),
  place: 'me',
  key: 'me',
  path: '/me',
})

/** Of a record's page, in its organization where only that has one; null without a page. */
export function addressOf(here: Here, resource: Resource, record: unknown): string | null {
  if (!isItem(record)) return null
  if (resource.opens) return resource.opens(record)
  const key = keyOf(resource, record)
  if (key === '') return null
  const address = `${resource.name}/${encodeURIComponent(key)}`
  if (resource[here.place]?.get) return `${here.path}/${address}`
  const owner = textOf(record['organization_id'])
  return here.place === 'all' && owner !== '' && resource.organization?.get ? `/o/${owner}/${address}` : null
}
