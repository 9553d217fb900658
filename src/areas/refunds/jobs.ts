// What the worker does for refunds: it asks the provider, and tells those who see money.
import { financeMail } from '#areas/invoices/finance-mails.ts'
import { refunds } from './queries.ts'
import { sendRefundJob } from './send-refund.ts'

const mails = financeMail({
  area: 'refunds',
  kind: 'refund-succeeded',
  event: 'titular/refund/succeeded',
  fact: refunds.told,
  content: (fact) => ({
    kind: 'refund-succeeded',
    organizationName: fact.organization_name,
    number: fact.invoice_number,
    creditNoteNumber: fact.credit_note_number,
    total: fact.amount,
    currency: fact.currency,
    link: null,
  }),
})

export const refundConsumers = mails.consumers

export const refundJobs = [...mails.jobs, sendRefundJob]
