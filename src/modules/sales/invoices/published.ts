// What customers see of the events of invoices: everything from the moment when an invoice is final.
import { publishedResource } from '#kernel/data/published.ts'
import { Invoice, invoicesTable } from './invoice.ts'

export const publishedInvoices = publishedResource(invoicesTable, {
  scopes: ['finances'],
  record: Invoice,
  isVisible: ({ status, finalized_at }) => status !== 'draft' && (status !== 'void' || finalized_at !== null),
  events: {
    created: 'An invoice was made that is open from the start.',
    finalized: 'An invoice got its number and is open.',
    updated: 'A field of an invoice changed, such as the address where it is paid.',
    due_date_changed: 'An open invoice got another due date.',
    payment_failed: 'A payment of an invoice failed; another one can be tried.',
    partly_paid: 'A part of an invoice was paid.',
    overdue: 'An open invoice is past its due date.',
    reminded: 'The customer was reminded of an invoice.',
    ending: 'The customer was told on which day the arrears of an invoice end.',
    paid: 'An invoice was paid.',
    reopened: 'A paid invoice is open again: a payment of it was of another one.',
    voided: 'An invoice was voided.',
    uncollectible: 'Staff gave up collecting an invoice.',
    credited: 'A credit note reduced an invoice.',
    partly_refunded: 'A part of what was paid for an invoice was refunded.',
    disputed: 'The bank of the payer disputes its payment, or has decided.',
    refunded: 'All that was paid for an invoice was refunded.',
  },
})
