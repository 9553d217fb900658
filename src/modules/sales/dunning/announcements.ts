// The mails about an unpaid invoice, with the way to pay it, and about what is suspended for it, to members with the
// scope `finances`.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { portalLink } from '#modules/messages/notifications/portal-link.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { invoicesTable } from '#modules/sales/invoices/invoice.ts'
import type { IoContext } from '#kernel/data/context.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { formatMoney, parseMoney } from '#kernel/values/money.ts'
import { zoneOf } from '#ports/ports.ts'
import { chargesOn } from './late-charges.ts'
import { reminderFacts } from './queries.ts'
import { suspensionAnnouncements } from './suspension-announcements.ts'

type Facts = { id: number; link: string | null }

const shared = {
  contact: 'billing',
  isMandatory: true,
  audience: membersWith('finances'),
  facts: reminderFacts,
  about: ({ id }: Facts) => ({ record: 'invoice', id }) as const,
  /** Where it is paid at once, else its page in the portal. */
  link: ({ id, link }: Facts, io: IoContext) => link ?? portalLink(io, 'invoice', id),
} as const

const invoiceReminder = announcement({
  ...shared,
  mail: 'invoice-reminder',
  event: invoicesTable.events.reminded,
  // Null when it was paid, voided or fully credited meanwhile.
  content: (invoice, common, { now, ports }) => {
    const { status, number, amount_due: total, currency, due_date: dueDate, schedule } = invoice
    if (status !== 'open') return null
    const paidOn = dayIn(now, zoneOf(ports, invoice.company))
    const { days, fine, interest } = chargesOn({ base: parseMoney(total, currency), dueOn: dueDate, paidOn }, schedule)
    const lateCharges = fine + interest === 0n ? null : formatMoney(fine + interest, currency)
    return { ...common, number, total, currency, dueDate, isOverdue: days > 0, lateCharges }
  },
})

const paymentFailed = announcement({
  ...shared,
  mail: 'payment-failed',
  event: invoicesTable.events.payment_failed,
  content: ({ status, number, amount_due: total, currency, due_date: dueDate }, common) =>
    status === 'open' ? { ...common, number, total, currency, dueDate } : null,
})

const dueDateChanged = announcement({
  ...shared,
  mail: 'invoice-due-date-changed',
  event: invoicesTable.events.due_date_changed,
  content: ({ status, number, amount_due: total, currency, due_date: dueDate }, common) =>
    status === 'open' ? { ...common, number, total, currency, dueDate } : null,
})

export const dunningAnnouncements = [invoiceReminder, paymentFailed, dueDateChanged, ...suspensionAnnouncements]
