// The vendor's portal, which the buttons of mails and pages link to. A record's page has the record's path in the API
// unless PORTAL_PATHS has another.
import { WrongSettings } from './problems.ts'
import { httpUrl, list } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

const PATHS = {
  quote: '/quotes/{id}',
  quote_request: '/quotes/requests/{id}',
  order: '/orders/{id}',
  invoice: '/invoices/{id}',
  tax_invoice: '/tax-invoices/{id}',
  entitlement: '/entitlements/{id}',
  license: '/licenses/{id}',
  environment: '/environments/{id}',
  service: '/services/{id}',
  ticket: '/tickets/{id}',
  contract: '/contracts/{id}',
  affiliate: '/affiliates/{id}',
  api_key: '/auth/api-keys/{id}',
  webhook_endpoint: '/webhook-endpoints/{id}',
  collaborator: '/organizations/{organization_id}/collaborators/{id}',
} as const

export type PortalRecord = keyof typeof PATHS
type Paths = { [Name in PortalRecord]: string }
export type Portal = { readonly url: string; readonly paths: Readonly<Paths> }

const isRecord = (name: string): name is PortalRecord => Object.hasOwn(PATHS, name)

const PLACEHOLDERS = /\{(?:id|organization_id)\}/g
/** The characters allowed in a link of a mail; a brace would be a misspelt placeholder. */
const PATH = /^\/[^\s,<>"{}\\]*$/

/** `quote=/offers/{id},collaborator=/team`: the paths that differ from the API's. */
function portalPaths(value: string): Partial<Paths> {
  const paths: Partial<Paths> = {}
  for (const entry of list(value)) {
    const [, record = '', path = ''] = /^(\w+)=(.*)$/.exec(entry) ?? []
    if (!isRecord(record))
      throw new Error(`must list paths such as quote=/quotes/{id}, of ${Object.keys(PATHS).join(', ')}`)
    if (!PATH.test(path.replaceAll(PLACEHOLDERS, '1')))
      throw new Error(
        `needs a path that begins with / for ${record}, with no placeholders but {id} and {organization_id}`,
      )
    paths[record] = path
  }
  return paths
}

export const PORTAL = {
  url: {
    name: 'PORTAL_URL',
    meaning: 'The vendor’s portal, to which buttons of mails and pages lead; there are none when unset',
    read: httpUrl,
    visibleTo: 'areas',
  },
  paths: {
    name: 'PORTAL_PATHS',
    meaning:
      'Pages of the portal that are not at the API’s paths (`/quotes/{id}`), by comma: ' +
      '`quote=/{organization_id}/offers/{id}`, `collaborator=/team`, …',
    read: portalPaths,
    visibleTo: 'areas',
  },
} as const satisfies Variables

/** Null without a portal: mails and pages then have no links to it. */
export function portalOf({ url, paths }: ValuesOf<typeof PORTAL>): Portal | null {
  if (url !== null) return { url, paths: { ...PATHS, ...paths } }
  if (paths !== null) throw new WrongSettings('PORTAL_PATHS needs PORTAL_URL')
  return null
}
