// The content of a mail of each kind; the type fails when one is missing.
import type { MailContent, MailKind } from '#texts/mail/content.ts'

export const NAME = 'Zoë "Z" <b>O\'Neil</b> & 👩‍💻 مرحبا'
export const LINK = 'https://titular.example.com/go?email=zo%C3%AB%40example.com&token=a-b_c~d'
const LATER = '2026-11-27T12:00:00Z'
const ABOUT = { organizationName: NAME, number: 'SR-20260042', title: 'It is slow', link: LINK }
const SUM = { total: '12345678901234567.89', currency: 'BRL' }

const EXPIRING = {
  organizationName: NAME,
  name: 'Plug-in',
  code: 'PLG-2026110001',
  expiresAt: LATER,
  daysLeft: 7,
  link: LINK,
}

const MAINTENANCE = {
  organizationName: NAME,
  environmentName: 'Campus',
  startsAt: LATER,
  endsAt: '2026-11-27T14:00:00Z',
  note: 'Database update',
  link: LINK,
}

export const CONTENTS: { [Kind in MailKind]: MailContent<Kind> } = {
  'verify-account': { kind: 'verify-account', name: NAME, link: LINK, expiresAt: LATER },
  'set-password': { kind: 'set-password', link: LINK, expiresAt: LATER },
  'reset-password': { kind: 'reset-password', name: NAME, link: LINK, expiresAt: LATER },
  'email-change': { kind: 'email-change', name: NAME, newEmail: 'new@example.com', link: LINK, expiresAt: LATER },
  'email-change-requested': {
    kind: 'email-change-requested',
    name: NAME,
    newEmail: 'new@example.com',
    link: LINK,
    expiresAt: LATER,
  },
  'email-changed': { kind: 'email-changed', name: NAME, newEmail: 'new@example.com', link: LINK, expiresAt: LATER },
  'password-changed': { kind: 'password-changed', name: NAME, changedAt: LATER },
  invite: { kind: 'invite', organizationName: NAME, inviterName: 'Ana', role: 'admin', link: LINK, expiresAt: LATER },
  'invite-accepted': {
    kind: 'invite-accepted',
    organizationName: NAME,
    memberName: 'Rui',
    memberEmail: 'r@example.com',
    link: LINK,
  },
  'quote-sent': {
    kind: 'quote-sent',
    organizationName: NAME,
    number: 'QUO-202611-00042',
    replaces: 'QUO-202611-00041',
    ...SUM,
    validUntil: '2026-12-01',
    link: LINK,
  },
  'quote-expiring': {
    kind: 'quote-expiring',
    organizationName: NAME,
    number: 'QUO-202611-00042',
    ...SUM,
    validUntil: '2026-12-01',
    link: LINK,
  },
  'contract-ending': {
    kind: 'contract-ending',
    organizationName: NAME,
    title: 'Maintenance',
    endDate: '2026-12-31',
    link: LINK,
  },
  'contract-notice': {
    kind: 'contract-notice',
    organizationName: NAME,
    title: 'Maintenance',
    endDate: '2026-12-31',
    link: LINK,
  },
  'payout-paid': {
    kind: 'payout-paid',
    organizationName: NAME,
    code: 'AFL-2026110001',
    ...SUM,
    reference: 'PIX-E1234567820261201',
    link: LINK,
  },
  'payout-rejected': {
    kind: 'payout-rejected',
    organizationName: NAME,
    code: 'AFL-2026110001',
    ...SUM,
    reason: 'NFS-e 42',
    link: LINK,
  },
  'webhook-endpoint-disabled': {
    kind: 'webhook-endpoint-disabled',
    organizationName: NAME,
    address: 'erp.loja.example/webhooks',
    reason: 'failing',
    failingSince: '2026-11-20T14:42:55.123Z',
    link: LINK,
  },
  'refund-succeeded': {
    kind: 'refund-succeeded',
    organizationName: NAME,
    number: 'BR-000042',
    creditNoteNumber: 'BRC-000007',
    ...SUM,
    link: LINK,
  },
  'invoice-open': {
    kind: 'invoice-open',
    organizationName: NAME,
    number: 'BR-000042',
    ...SUM,
    dueDate: '2026-12-01',
    link: LINK,
  },
  'order-invoice-open': {
    kind: 'order-invoice-open',
    organizationName: NAME,
    number: 'BR-000043',
    ...SUM,
    dueDate: '2026-12-01',
    link: LINK,
  },
  'quote-accepted': { kind: 'quote-accepted', organizationName: NAME, number: 'QUO-202611-00042', ...SUM, link: LINK },
  'payment-received': {
    kind: 'payment-received',
    organizationName: NAME,
    number: 'INV-1',
    ...SUM,
    paidAt: LATER,
    link: LINK,
  },
  'quote-fulfilled': {
    kind: 'quote-fulfilled',
    organizationName: NAME,
    number: 'QUO-202611-00042',
    provisioned: [
      { name: 'Plug-in <Pro>', entitlementCode: 'PLG-202611-00001' },
      { name: 'Hosting', entitlementCode: 'HST-202611-00002' },
    ],
    link: LINK,
  },
  'entitlement-expiring': { kind: 'entitlement-expiring', ...EXPIRING },
  'license-expiring': { kind: 'license-expiring', ...EXPIRING },
  'maintenance-scheduled': { kind: 'maintenance-scheduled', ...MAINTENANCE },
  'maintenance-changed': { kind: 'maintenance-changed', ...MAINTENANCE },
  'maintenance-cancelled': { kind: 'maintenance-cancelled', ...MAINTENANCE },
  'service-delivered': {
    kind: 'service-delivered',
    organizationName: NAME,
    serviceName: 'Migration',
    note: 'All courses are in the new campus.',
    link: LINK,
  },
  'tax-invoice-issued': {
    kind: 'tax-invoice-issued',
    organizationName: NAME,
    number: '1042',
    invoiceNumber: 'BR-000042',
    accessKey: 'KEY-OF-50',
    issuedAt: LATER,
    ...SUM,
    link: LINK,
  },
  'ticket-opened': { kind: 'ticket-opened', ...ABOUT, authorName: 'Rui', priority: 'high', text: 'Since <noon>' },
  'ticket-commented': { kind: 'ticket-commented', ...ABOUT, authorName: 'Rui', text: 'Done & dusted', internal: true },
  'ticket-moved': { kind: 'ticket-moved', ...ABOUT, authorName: 'Rui', from: 'open', to: 'in_progress', text: null },
}
