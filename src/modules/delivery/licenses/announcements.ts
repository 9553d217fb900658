// The mail before a license ends, to members with the scope.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { expiryContent, expiryFacts } from '#modules/messages/notifications/warn-of-expiry.ts'
import { licensesTable } from './license.ts'

const licenseExpiring = announcement({
  mail: 'license-expiring',
  event: licensesTable.events.expiring,
  contact: 'technical',
  audience: membersWith('licenses'),
  facts: expiryFacts(licensesTable, 'entitlement_id'),
  about: ({ id }) => ({ record: 'license', id }),
  content: expiryContent,
})

export const licenseAnnouncements = [licenseExpiring]
