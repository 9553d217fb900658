// What the worker does for invoices: tells of those that staff wrote. What comes of a quote has been told with it.
import { archiving } from '#areas/documents-of-record/archive-document.ts'
import { invoiceDocument } from './archive.ts'
import { invoices } from './queries.ts'
import { financeMail } from './finance-mails.ts'

const opened = financeMail({
  area: 'invoices',
  kind: 'invoice-open',
  event: 'titular/invoice/finalized',
  fact: invoices.told,
  // Paid, void or credited away meanwhile.
  content: ({ organization_name: organizationName, number, status, amount_due: total, currency, due_date: dueDate }) =>
    status === 'open' ? { kind: 'invoice-open', organizationName, number, total, currency, dueDate, link: null } : null,
})

const archived = archiving(invoiceDocument)

export const invoiceJobs = [...opened.jobs, ...archived.jobs]
export const invoiceConsumers = [...opened.consumers, ...archived.consumers]
