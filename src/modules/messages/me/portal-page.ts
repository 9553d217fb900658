// The page of a record in the vendor's portal.
import type { Portal, PortalRecord } from '#config/portal.ts'

/** Null without a portal (PORTAL_URL), and for no record. */
export function pageInPortal(
  portal: Portal | null,
  record: PortalRecord,
  { id, organizationId }: { id: number | null; organizationId: number | null },
): string | null {
  if (portal === null || id === null) return null
  const path = portal.paths[record]
    .replaceAll('{id}', String(id))
    .replaceAll('{organization_id}', String(organizationId))
  return portal.url + path
}
