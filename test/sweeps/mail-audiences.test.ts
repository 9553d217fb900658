// Who gets each mail. The table is written by hand: a mail that goes to others than before, and a new one without a row, fail.
import { expect, it } from 'vitest'
import { announcements } from '../../src/modules.ts'
import { CONTENTS } from '#test/scenes/mail-contents.ts'

/** The members by scope and lowest role; the scope of staff who may read it; the contact in their place; whether all get it. */
type Audience = [members: string | null, staff: string | null, contact: string | null, isMandatory?: 'mandatory']

const AUDIENCES: Record<string, Audience> = {
  'arrears-ending': ['finances, member', 'finances', 'billing', 'mandatory'],
  'api-key-expiring': ['organization, admin', 'organization', null],
  'charge-failed': ['finances, member', 'finances', 'billing'],
  // To the address that was named.
  'contact-confirmation': [null, null, null, 'mandatory'],
  'contacts-changed': ['no scope, owner', 'organization', null, 'mandatory'],
  'contract-ending': ['contracts, member', 'contracts', 'legal'],
  'contract-notice': ['contracts, member', 'contracts', 'legal', 'mandatory'],
  'entitlement-expiring': ['entitlements, member', 'entitlements', 'technical'],
  'entitlements-resumed': ['finances, member', 'finances', 'billing'],
  'entitlements-suspended': ['finances, member', 'finances', 'billing', 'mandatory'],
  invite: [null, null, null, 'mandatory'],
  'invite-accepted': ['no scope, admin', 'organization', null],
  'invoice-due-date-changed': ['finances, member', 'finances', 'billing', 'mandatory'],
  'invoice-open': ['finances, member', 'finances', 'billing', 'mandatory'],
  'invoice-reminder': ['finances, member', 'finances', 'billing', 'mandatory'],
  'license-expiring': ['licenses, member', 'licenses', 'technical'],
  'maintenance-cancelled': ['entitlements, member', 'entitlements', 'technical'],
  'maintenance-changed': ['entitlements, member', 'entitlements', 'technical'],
  'maintenance-scheduled': ['entitlements, member', 'entitlements', 'technical'],
  'membership-expiring': ['no scope, member', 'organization', null],
  'order-invoice-open': ['finances, member', 'finances', 'billing', 'mandatory'],
  'payment-failed': ['finances, member', 'finances', 'billing', 'mandatory'],
  'payment-receipt': ['finances, member', 'finances', 'billing'],
  'payment-received': ['quotes, member', 'quotes', null],
  'payment-moved': ['finances, member', 'finances', 'billing', 'mandatory'],
  'payment-surplus': ['finances, member', 'finances', 'billing'],
  'payout-paid': ['finances, member', 'finances', null],
  'payout-rejected': ['finances, member', 'finances', null],
  'quote-accepted': ['quotes, member', 'quotes', null],
  'quote-expiring': ['quotes, member', 'quotes', null],
  'quote-fulfilled': ['quotes, member', 'quotes', null],
  'quote-request-declined': ['quotes, member', 'quotes', null],
  'quote-requested': [null, 'quotes', null],
  'quote-sent': ['quotes, member', 'quotes', null],
  'refund-succeeded': ['finances, member', 'finances', 'billing'],
  'renewal-drafted': [null, 'quotes', null],
  'service-delivered': ['entitlements, member', 'entitlements', null],
  'subscription-cancelled': ['orders, member', 'orders', null],
  'tax-invoice-issued': ['finances, member', 'finances', 'billing', 'mandatory'],
  'ticket-commented': ['entitlements, member', 'tickets', null],
  'ticket-moved': ['entitlements, member', 'tickets', null],
  'ticket-opened': ['entitlements, member', 'tickets', null],
  'ticket-satisfaction': ['entitlements, member', 'tickets', null],
  'ticket-sla-breached': [null, 'tickets', null],
  'ticket-sla-warning': [null, 'tickets', null],
  'webhook-endpoint-disabled': ['no scope, admin', 'organization', 'technical'],
}

/** About an account, to its person alone. */
const TO_THE_PERSON = [
  'email-change',
  'email-change-requested',
  'email-changed',
  'new-sign-in',
  'password-changed',
  'reset-password',
  'security-notice',
  'set-password',
  'ticket-answer-refused',
  'verify-account',
]
/** To administrators of the vendor; of roles also to the person who has them. */
const TO_THE_VENDOR = ['staff-roles', 'vendor-key-changed', 'vendor-key-expiring']

it('each mail of an organization goes to those whom the table names', () => {
  const declared = announcements.map(({ mail, needs, contact, isMandatory }): [string, Audience] => {
    const members = needs?.members ? `${needs.members.scope ?? 'no scope'}, ${needs.members.atLeast}` : null
    const audience: Audience = [members, needs?.staff ?? null, contact]
    return [mail, isMandatory ? [members, needs?.staff ?? null, contact, 'mandatory'] : audience]
  })
  expect(declared).toHaveLength(new Set(declared.map(([mail]) => mail)).size)
  expect(Object.fromEntries(declared)).toEqual(AUDIENCES)
})

it('every other kind of mail is about an account, or to the vendor', () => {
  const others = Object.keys(CONTENTS).filter((kind) => !(kind in AUDIENCES))
  expect(others.toSorted()).toEqual([...TO_THE_PERSON, ...TO_THE_VENDOR].toSorted())
})
