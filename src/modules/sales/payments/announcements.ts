// The mail about a payment of more than was due, to members with the scope `finances`.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { paymentsTable } from './payment.ts'
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

export const paymentAnnouncements = [paymentSurplus]
