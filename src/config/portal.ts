// The vendor's portal: where the buttons of mails and pages lead. Records have their pages at the API's own paths, unless
// PORTAL_PATHS says where else.
import { list } from './setting-readers.ts'
import type { SettingValues } from './settings.ts'

const PATHS = {
  quote: '/quotes/{id}',
  order: '/orders/{id}',
  invoice: '/invoices/{id}',
  tax_invoice: '/tax-invoices/{id}',
  entitlement: '/entitlements/{id}',
  license: '/licenses/{id}',
  environment: '/environments/{id}',
  service: '/services/{id}',
  ticket: '/tickets/{id}',
  contract: '/contracts/{id}',
  collaborator: '/organizations/{organization_id}/collaborators/{id}',
} as const

export type PortalRecord = keyof typeof PATHS
type Paths = { [Name in PortalRecord]: string }
export type Portal = { readonly url: string; readonly paths: Readonly<Paths> }

const isRecord = (name: string): name is PortalRecord => Object.hasOwn(PATHS, name)

const PLACEHOLDERS = /\{(?:id|organization_id)\}/g
/** What a link in a mail may hold; a brace is a misspelt placeholder. */
const PATH = /^\/[^\s,<>"{}\\]*$/

/** `quote=/offers/{id},collaborator=/team`: the paths that differ from the API's. */
export function portalPaths(value: string): Partial<Paths> {
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

export const portalOf = ({ PORTAL_URL: url, PORTAL_PATHS: paths }: SettingValues): Portal | null =>
  url === null ? null : { url, paths: { ...PATHS, ...paths } }

export const wrongPortal = ({ PORTAL_URL: url, PORTAL_PATHS: paths }: SettingValues): string[] =>
  url === null && paths !== null ? ['PORTAL_PATHS needs PORTAL_URL'] : []
