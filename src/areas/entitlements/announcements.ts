// The mail before an entitlement ends, to members with the scope.
import { announcement } from '#areas/notifications/announcement.ts'
import { portalLink } from '#areas/notifications/portal-link.ts'
import { membersWith } from '#areas/notifications/recipients.ts'
import { expiryContent, expiryFacts } from '#areas/notifications/warn-of-expiry.ts'
import { entitlementsTable } from './entitlement.ts'

const entitlementExpiring = announcement({
  mail: 'entitlement-expiring',
  event: entitlementsTable.events.expiring,
  audience: membersWith('entitlements'),
  facts: expiryFacts(entitlementsTable, 'code'),
  link: ({ id }, io) => portalLink(io, 'entitlement', id),
  content: expiryContent,
})

export const entitlementAnnouncements = [entitlementExpiring]
