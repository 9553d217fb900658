// The mail before an entitlement ends, to members with the scope.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { expiryContent, expiryFacts } from '#modules/messages/notifications/warn-of-expiry.ts'
import { entitlementsTable } from './entitlement.ts'

const entitlementExpiring = announcement({
  mail: 'entitlement-expiring',
  event: entitlementsTable.events.expiring,
  contact: 'technical',
  audience: membersWith('entitlements'),
  facts: expiryFacts(entitlementsTable, 'id'),
  about: ({ id }) => ({ record: 'entitlement', id }),
  content: expiryContent,
})

export const entitlementAnnouncements = [entitlementExpiring]
