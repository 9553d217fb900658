// The mails about a payment, to members with the scope `finances`: its receipt, and what was more than due.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { paymentsTable } from './payment.ts'
import { attached, brings } from '#modules/documents/documents-of-record/attach-document.ts'
import { payments } from './payment-records.ts'
import { receiptWithin } from './receipt.ts'
import { surplusFacts } from './queries.ts'

const paymentSurplus = announcement({
  mail: 'payment-surplus',
  event: paymentsTable.events.created,
  contact: 'billing',
  audience: membersWith('finances'),
  facts: surplusFacts,
  about: ({ invoice_id }) => ({ record: 'invoice', id: invoice_id }),
  content: ({ number, total, currency, surplus, balance }, common) => ({
    ...common,
    number,
    total,
    currency,
    surplus,
    balance,
  }),
})

/** Nothing was received where the credit balance was used. */
const paymentReceipt = announcement({
  mail: 'payment-receipt',
  event: paymentsTable.events.created,
  contact: 'billing',
  audience: membersWith('finances'),
  facts: payments.withInvoice,
  about: ({ invoice_id }) => ({ record: 'invoice', id: invoice_id }),
  attach: async ({ id, company }, io) => (brings(io, company, 'pdf') ? attached(() => receiptWithin(io, id)) : []),
  content: ({ source, invoice_number: number, amount: total, currency, payment_date: paidOn }, common) =>
    source === 'credit_balance' ? null : { ...common, number, total, currency, paidOn },
})

export const paymentAnnouncements = [paymentReceipt, paymentSurplus]
