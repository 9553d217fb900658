// Where the buttons of mails and pages lead: into the console, or into a portal of the vendor's own, whose pages have
// the records' paths in the API unless PORTAL_PATHS has others.
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

/** Records without a screen of their own lead to the list that has them. */
const CONSOLE_PATHS = {
  quote: '/o/{organization_id}/quotes/{id}',
  quote_request: '/o/{organization_id}/quote-requests/{id}',
  order: '/o/{organization_id}/orders/{id}',
  invoice: '/o/{organization_id}/invoices/{id}',
  tax_invoice: '/o/{organization_id}/tax-invoices/{id}',
  entitlement: '/o/{organization_id}/entitlements/{id}',
  license: '/o/{organization_id}/licenses/{id}',
  environment: '/o/{organization_id}/environments/{id}',
  service: '/o/{organization_id}/services/{id}',
  ticket: '/o/{organization_id}/tickets/{id}',
  contract: '/o/{organization_id}/contracts/{id}',
  affiliate: '/o/{organization_id}/affiliates/{id}',
  api_key: '/o/{organization_id}/keys',
  webhook_endpoint: '/o/{organization_id}/webhooks/{id}',
  collaborator: '/o/{organization_id}/people',
} as const satisfies Record<keyof typeof PATHS, string>

export type PortalRecord = keyof typeof PATHS
type Paths = { [Name in PortalRecord]: string }
export type Portal = { readonly url: string; readonly paths: Readonly<Paths> }

const isRecord = (name: string): name is PortalRecord => Object.hasOwn(PATHS, name)

const PLACEHOLDERS = /\{(?:id|organization_id)\}/g
/** The characters allowed in a link of a mail; a brace would be a misspelt placeholder. */
const PATH = /^\/[^\s,<>"{}\\]*$/

/** `quote=/offers/{id},collaborator=/team`: the paths that differ from the API's; `console`: those of the console. */
function portalPaths(value: string): Partial<Paths> {
  if (value === 'console') return CONSOLE_PATHS
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
    meaning: 'A portal of the vendor’s own, to which buttons of mails and pages lead; into the console when unset',
    read: httpUrl,
    visibleTo: 'areas',
  },
  paths: {
    name: 'PORTAL_PATHS',
    meaning:
      'Pages of the portal that are not at the API’s paths (`/quotes/{id}`), by comma: ' +
      '`quote=/{organization_id}/offers/{id}`, `collaborator=/team`, …; ' +
      '`console`: the console is there, on another host',
    read: portalPaths,
    visibleTo: 'areas',
  },
} as const satisfies Variables

/** The console of this service; `publicUrl` has no slash at its end. */
export const consoleOf = (publicUrl: string): Portal => ({ url: `${publicUrl}/app`, paths: CONSOLE_PATHS })

export function portalOf({ url, paths }: ValuesOf<typeof PORTAL>, publicUrl: string): Portal {
  if (url !== null) return { url, paths: { ...PATHS, ...paths } }
  if (paths !== null) throw new WrongSettings('PORTAL_PATHS needs PORTAL_URL')
  return consoleOf(publicUrl)
}
