// The mails about a payment, to members with the scope `finances`: its receipt, what was more than due, and that it was
// recorded on the wrong invoice.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { paymentsTable } from './payment.ts'
import { attached, brings } from '#modules/documents/documents-of-record/attach-document.ts'
import { payments } from './payment-records.ts'
import { receiptWithin } from './receipt.ts'
import { movedFacts, surplusFacts } from './queries.ts'

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

/** Nothing was received where the credit balance was used; what was imported was said by the other system. */
const paymentReceipt = announcement({
  mail: 'payment-receipt',
  event: paymentsTable.events.created,
  contact: 'billing',
  audience: membersWith('finances'),
  facts: payments.withInvoice,
  about: ({ invoice_id }) => ({ record: 'invoice', id: invoice_id }),
  attach: async ({ id, company }, io) =>
    (await brings(io, company, 'pdf')) ? attached(() => receiptWithin(io, id)) : [],
  content: ({ source, moved_at, invoice_number: number, amount: total, currency, payment_date: paidOn }, common) =>
    source === 'credit_balance' || source === 'import' || moved_at !== null
      ? null
      : { ...common, number, total, currency, paidOn },
})

/** A receipt of its own follows where it was recorded anew. */
const paymentMoved = announcement({
  mail: 'payment-moved',
  event: paymentsTable.events.moved,
  isMandatory: true,
  contact: 'billing',
  audience: membersWith('finances'),
  facts: movedFacts,
  about: ({ invoice_id }) => ({ record: 'invoice', id: invoice_id }),
  content: ({ status, number, total, currency, paidOn, due, dueDate, newNumber }, common) => {
    const owed = status === 'open' && due !== null && dueDate !== null ? { due, dueDate } : null
    return { ...common, number, total, currency, paidOn, owed, newNumber }
  },
})

export const paymentAnnouncements = [paymentReceipt, paymentMoved, paymentSurplus]
