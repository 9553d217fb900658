// The mails about an open invoice, to members with the scope `finances`. One that staff wrote is always announced; a
// quote's is in the mails of the quote, and has its own where the organization pays by invoice only. A renewal's is
// paid already where the payment provider charges it, and announced where it is not.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { attachInvoice, payLink, unpaidContent } from './payment-options/mail-options.ts'
import { invoicesTable, OF_ORDER, OF_SUBSCRIPTION } from './invoice.ts'
import { invoices } from './queries.ts'

const shared = {
  isMandatory: true,
  contact: 'billing',
  audience: membersWith('finances'),
  facts: invoices.mailFacts,
  link: payLink,
  attach: attachInvoice,
} as const

export const invoiceOpen = announcement({
  ...shared,
  mail: 'invoice-open',
  event: invoicesTable.events.finalized,
  about: ({ id }) => ({ record: 'invoice', id }),
  // Null when the invoice was paid, voided or fully credited meanwhile.
  content: (invoice, common, io) => (invoice.status === 'open' ? { ...common, ...unpaidContent(invoice, io) } : null),
})

const orderInvoiceOpen = announcement({
  ...shared,
  mail: 'order-invoice-open',
  event: invoicesTable.events.created,
  terms: invoices.paysByInvoice,
  about: ({ id }) => ({ record: 'invoice', id }),
  content: ({ origin, requires_invoice_for_payment, ...invoice }, common, io) => {
    const isNews = origin === OF_SUBSCRIPTION || (origin === OF_ORDER && requires_invoice_for_payment)
    return invoice.status === 'open' && isNews ? { ...common, ...unpaidContent(invoice, io) } : null
  },
})

export const invoiceAnnouncements = [invoiceOpen, orderInvoiceOpen]
