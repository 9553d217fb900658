// Sales: from the quote to the money, and the tax invoices.
import type { Module } from '#http/manifest/module.ts'
import type { Announcement } from '#modules/messages/notifications/announcement.ts'
import { accountStatementArea } from './account-statement/area.ts'
import { creditBalancesArea } from './credit-balances/area.ts'
import { creditNotesArea } from './credit-notes/area.ts'
import { disputesArea } from './disputes/area.ts'
import { dunningArea } from './dunning/area.ts'
import { invoicesArea } from './invoices/area.ts'
import { municipalParametersArea } from './municipal-parameters/area.ts'
import { ordersArea } from './orders/area.ts'
import { paymentsArea } from './payments/area.ts'
import { quotesArea } from './quotes/area.ts'
import { refundsArea } from './refunds/area.ts'
import { subscriptionsArea } from './subscriptions/area.ts'
import { taxInvoicesArea } from './tax-invoices/area.ts'
import { taxWithholdingArea } from './tax-withholding/area.ts'
import { paymentSource } from './payments/handle-payment-event.ts'
import { salesReasons } from './reasons.ts'

export const sales: Module<Announcement> = {
  name: 'sales',
  areas: [
    quotesArea,
    ordersArea,
    invoicesArea,
    paymentsArea,
    subscriptionsArea,
    refundsArea,
    disputesArea,
    creditNotesArea,
    creditBalancesArea,
    accountStatementArea,
    dunningArea,
    taxInvoicesArea,
    taxWithholdingArea,
    municipalParametersArea,
  ],
  reasons: salesReasons,
  inboundSources: [paymentSource],
  erasure: {
    working: ['dunning_cases', 'quote_links', 'quote_requests'],
    fiscal: [
      'tax_invoice_documents',
      'tax_invoices',
      'credit_balance_entries',
      'credit_notes',
      'refunds',
      'disputes',
      'credit_balances',
      'payments',
      'payment_references',
      'invoices',
      'orders',
    ],
    people: {
      'quotes.created_by': { exports: 'reference' },
      'quote_links.created_by': { exports: 'reference', erased: { created_by_name: 'erased' } },
      'quote_requests.requested_by': { exports: 'row', erased: { requested_by_name: 'erased' } },
      'orders.customer_id': {
        exports: 'reference',
        erasedLater: { billing_name: null, billing_email: null, billing_address: null },
      },
      'invoices.user_id': { exports: 'reference' },
      'payments.recorded_by': { exports: 'reference' },
      'refunds.requested_by': { exports: 'reference' },
      'credit_balance_entries.recorded_by': { exports: 'reference' },
    },
    obstacles: {
      open_invoices: `invoices where status in ('draft', 'open')`,
      refunds: `refunds where status = 'processing'`,
      disputes: `disputes where status = 'open'`,
      credit_balances: `credit_balances where amount > 0`,
      subscriptions: `orders where subscription_status not in ('canceled', 'incomplete_expired')`,
      tax_invoices: `tax_invoices where (status = 'pending' or substatus = 'cancelling')`,
    },
  },
}
