// The link of a mail's button: the page of a record in the vendor's portal.
import type { IoContext } from '#kernel/data/context.ts'
import type { PortalRecord } from '#config/portal.ts'
import '#ports/ports.ts'

/** Null without a portal (PORTAL_URL): the mail then has no button. */
export function portalLink(
  { ports, organizationId }: IoContext,
  record: PortalRecord,
  id: number | null,
): string | null {
  const { portal } = ports.settings
  if (portal === null || id === null) return null
  const path = portal.paths[record]
    .replaceAll('{id}', String(id))
    .replaceAll('{organization_id}', String(organizationId))
  return portal.url + path
}
