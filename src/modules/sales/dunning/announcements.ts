// The mails about an unpaid invoice, with the way to pay it, and about what is suspended for it, to members with the
// scope `finances`.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { invoicesTable } from '#modules/sales/invoices/invoice.ts'
import {
  attachInvoice,
  payLink,
  unpaidContent,
  waysToPay,
} from '#modules/sales/invoices/payment-options/mail-options.ts'
import { parseMoney } from '#kernel/values/money.ts'
import { chargesWith } from './late-charges-of.ts'
import { reminderFacts } from './queries.ts'
import { dayAhead, suspensionAnnouncements } from './suspension-announcements.ts'

const shared = {
  contact: 'billing',
  isMandatory: true,
  audience: membersWith('finances'),
  facts: reminderFacts,
  about: ({ id }: { id: number }) => ({ record: 'invoice', id }) as const,
  link: payLink,
  attach: attachInvoice,
} as const

const invoiceReminder = announcement({
  ...shared,
  mail: 'invoice-reminder',
  event: invoicesTable.events.reminded,
  // Null when it was paid, voided or fully credited meanwhile.
  content: (invoice, common, io) => {
    const { status, number, amount_due: total, currency, due_date: dueDate } = invoice
    if (status !== 'open') return null
    const { days_overdue, due } = chargesWith(invoice, { now: io.now, settings: io.ports.settings })
    return {
      ...common,
      suspendsOn: dayAhead(invoice.suspends_at, invoice, io),
      stopsOn: dayAhead(invoice.stops_at, invoice, io),
      number,
      total,
      currency,
      dueDate,
      isOverdue: days_overdue > 0,
      lateCharges: parseMoney(due, currency) === 0n ? null : due,
      options: waysToPay(invoice, io),
    }
  },
})

const paymentFailed = announcement({
  ...shared,
  mail: 'payment-failed',
  event: invoicesTable.events.payment_failed,
  content: (invoice, common, io) => (invoice.status === 'open' ? { ...common, ...unpaidContent(invoice, io) } : null),
})

const dueDateChanged = announcement({
  ...shared,
  mail: 'invoice-due-date-changed',
  event: invoicesTable.events.due_date_changed,
  content: (invoice, common, io) => (invoice.status === 'open' ? { ...common, ...unpaidContent(invoice, io) } : null),
})

const arrearsEnding = announcement({
  ...shared,
  mail: 'arrears-ending',
  event: invoicesTable.events.ending,
  content: (invoice, common, io) =>
    invoice.status === 'open' && invoice.ending_on !== null
      ? { ...common, ...unpaidContent(invoice, io), endsOn: invoice.ending_on, act: invoice.act ?? 'write_off' }
      : null,
})

export const dunningAnnouncements = [
  arrearsEnding,
  invoiceReminder,
  paymentFailed,
  dueDateChanged,
  ...suspensionAnnouncements,
]
