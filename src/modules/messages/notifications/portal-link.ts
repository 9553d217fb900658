// The link of a mail's button: the page of a record in the console, or in the vendor's own portal.
import { pageInPortal } from '#modules/messages/me/portal-page.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { PortalRecord } from '#config/portal.ts'

/** Null for no record: the mail then has no button. */
export const portalLink = (
  { ports, organizationId }: IoContext,
  record: PortalRecord,
  id: number | null,
): string | null => pageInPortal(ports.settings.portal, record, { id, organizationId })
