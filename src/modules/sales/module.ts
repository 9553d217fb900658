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
  },
}
