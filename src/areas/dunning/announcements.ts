// The mails about an unpaid invoice, with the way to pay it, to members with the scope `finances`.
import { announcement } from '#areas/notifications/announcement.ts'
import { portalLink } from '#areas/notifications/portal-link.ts'
import { membersWith } from '#areas/notifications/recipients.ts'
import { invoicesTable } from '#areas/invoices/invoice.ts'
import { invoices } from '#areas/invoices/queries.ts'
import type { IoContext } from '#kernel/data/context.ts'

type Facts = { id: number; link: string | null }

const about = {
  audience: membersWith('finances'),
  facts: invoices.reminderFacts,
  /** Where it is paid at once, else its page in the portal. */
  link: ({ id, link }: Facts, io: IoContext) => link ?? portalLink(io, 'invoice', id),
}

const invoiceReminder = announcement({
  ...about,
  mail: 'invoice-reminder',
  event: invoicesTable.events.reminded,
  // Null when it was paid, voided or fully credited meanwhile.
  content: ({ status, number, amount_due: total, currency, due_date: dueDate, reminded_days }, common) =>
    status === 'open' ? { ...common, number, total, currency, dueDate, isOverdue: (reminded_days ?? 0) > 0 } : null,
})

const paymentFailed = announcement({
  ...about,
  mail: 'payment-failed',
  event: invoicesTable.events.payment_failed,
  content: ({ status, number, amount_due: total, currency, due_date: dueDate }, common) =>
    status === 'open' ? { ...common, number, total, currency, dueDate } : null,
})

export const dunningAnnouncements = [invoiceReminder, paymentFailed]
