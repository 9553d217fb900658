// The content of the mails about one invoice, and about its payment.
import type { PaymentWays } from './payment-ways.ts'

/** `link`: the page that shows how it is paid. */
type OpenInvoice = {
  organizationName: string
  number: string
  total: string
  currency: string
  dueDate: string
  options: PaymentWays
  link: string | null
}

/** The days from which it is suspended, and no further invoices are made, without the payment; null: none ahead. */
export type AccessAhead = { suspendsOn: string | null; stopsOn: string | null }

export type InvoiceContents = {
  /** Of an invoice that staff wrote: for the invoice of a quote the mails of the quote suffice. */
  'invoice-open': OpenInvoice
  /** Of a quote, for an organization that pays by invoice only. */
  'order-invoice-open': OpenInvoice
  /**
   * Before the due date or after it. `link`: where it is paid. `lateCharges`: fine and interest until now; null: none.
   */
  'invoice-reminder': OpenInvoice & AccessAhead & { isOverdue: boolean; lateCharges: string | null }
  'payment-failed': OpenInvoice
  'invoice-due-date-changed': OpenInvoice
  'arrears-ending': OpenInvoice & { endsOn: string; act: 'write_off' | 'cancel' }
  /** `number`: of the invoice; null: paid in advance. */
  'payment-receipt': {
    organizationName: string
    number: string | null
    total: string
    currency: string
    paidOn: string
    link: string | null
  }
}
