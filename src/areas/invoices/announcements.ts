// The mail about an invoice by staff, to members with the scope `finances`. A quote's invoice is in the mails of the
// quote.
import { announcement } from '#areas/notifications/announcement.ts'
import { portalLink } from '#areas/notifications/portal-link.ts'
import { membersWith } from '#areas/notifications/recipients.ts'
import { invoicesTable } from './invoice.ts'
import { invoices } from './queries.ts'

const invoiceOpen = announcement({
  mail: 'invoice-open',
  event: invoicesTable.events.finalized,
  audience: membersWith('finances'),
  facts: invoices.mailFacts,
  link: ({ id }, io) => portalLink(io, 'invoice', id),
  // Null when the invoice was paid, voided or fully credited meanwhile.
  content: ({ status, number, amount_due: total, currency, due_date: dueDate }, common) =>
    status === 'open' ? { ...common, number, total, currency, dueDate } : null,
})

export const invoiceAnnouncements = [invoiceOpen]
