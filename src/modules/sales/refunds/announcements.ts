// The mail about a refund that succeeded, to the members with the scope `finances`.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { refunds } from './queries.ts'
import { refundsTable } from './refund.ts'

const refundSucceeded = announcement({
  mail: 'refund-succeeded',
  event: refundsTable.events.succeeded,
  contact: 'billing',
  audience: membersWith('finances'),
  facts: refunds.mailFacts,
  about: ({ invoice_id }) => ({ record: 'invoice', id: invoice_id }),
  content: ({ invoice_number: number, credit_note_number: creditNoteNumber, ...refund }, common) => {
    const { amount: total, currency, is_to_balance } = refund
    // No money moved.
    return is_to_balance ? null : { ...common, number, creditNoteNumber, total, currency }
  },
})

export const refundAnnouncements = [refundSucceeded]
