// What the screen knows of settings by their names, as the service declares them; test/console/settings.test.ts compares.

import { PAYMENT_METHODS } from './payment-methods.ts'

/** Whoever keeps the books changes these; the others bind the rest of staff. */
export const OF_FINANCE: ReadonlySet<string> = new Set([
  'name',
  'address',
  'payment_methods',
  'mail_attachments',
  'renewal_invoice_days',
  'renewal_quote_days',
  'commission_days',
  'tax_issue_rule',
  'fiscal_profiles',
])

/** Settings that have some values alone. */
export const CHOICES: Readonly<Record<string, readonly string[]>> = {
  payment_methods: PAYMENT_METHODS,
  mail_attachments: ['pdf', 'xml'],
  self_service: ['cancel', 'quantity', 'pause'],
  refunds: ['approve', 'automatic'],
  ticket_classes: ['ENV', 'PLG', 'SVC', 'EDU', 'none'],
  tickets_without_entitlement: ['flag', 'refuse'],
  hidden_scopes: [
    'finances',
    'orders',
    'licenses',
    'tickets',
    'quotes',
    'contracts',
    'documents',
    'downloads',
    'entitlements',
  ],
  staff_entry: ['open', 'reason'],
  new_device_mails: ['all', 'not_sso', 'none'],
  reasons: ['optional', 'required'],
}
