// The page of a record in the console, or in the vendor's own portal.
import type { Portal, PortalRecord } from '#config/portal.ts'

/** Null for no record; the first page for a record of no organization, where its path names one. */
export function pageInPortal(
  portal: Portal,
  record: PortalRecord,
  { id, organizationId }: { id: number | null; organizationId: number | null },
): string | null {
  if (id === null) return null
  const path = portal.paths[record].replaceAll('{id}', String(id))
  if (organizationId === null && path.includes('{organization_id}')) return `${portal.url}/`
  return portal.url + path.replaceAll('{organization_id}', String(organizationId))
}
