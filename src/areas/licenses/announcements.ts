// The mail before a license ends, to members with the scope.
import { announcement } from '#areas/notifications/announcement.ts'
import { portalLink } from '#areas/notifications/portal-link.ts'
import { membersWith } from '#areas/notifications/recipients.ts'
import { expiryContent, expiryFacts } from '#areas/notifications/warn-of-expiry.ts'
import { licensesTable } from './license.ts'

const licenseExpiring = announcement({
  mail: 'license-expiring',
  event: licensesTable.events.expiring,
  audience: membersWith('licenses'),
  facts: expiryFacts(licensesTable, 'entitlement_code'),
  link: ({ id }, io) => portalLink(io, 'license', id),
  content: expiryContent,
})

export const licenseAnnouncements = [licenseExpiring]
