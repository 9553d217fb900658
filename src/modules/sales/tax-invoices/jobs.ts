// What the worker does for tax invoices.
import { askForCancellationJob } from './cancel-tax-invoice.ts'
import { archiving } from '#modules/documents/documents-of-record/archive-document.ts'
import { invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { taxInvoiceDocument } from './archive.ts'
import { openTaxInvoices, openTaxInvoicesJob } from './open-tax-invoices.ts'
import { cancelRefundedJob, cancelVoided, cancelVoidedJob } from './cancel-voided.ts'
import { prepareDeclarationJob } from './prepare-declaration.ts'
import { sendDeclarationJob } from './send-declaration.ts'
import { resumeWaitingJob } from './resume-waiting.ts'

const archived = archiving(taxInvoiceDocument)

export const taxInvoiceJobs = [
  openTaxInvoicesJob,
  prepareDeclarationJob,
  sendDeclarationJob,
  askForCancellationJob,
  cancelVoidedJob,
  cancelRefundedJob,
  resumeWaitingJob,
  ...archived.jobs,
]

const { created, finalized, due_date_changed, paid, voided } = invoicesTable.events

export const taxInvoiceConsumers = [
  ...[created, finalized, due_date_changed, paid].map((event) => ({ event, job: openTaxInvoices })),
  { event: voided, job: cancelVoided },
  ...archived.consumers,
]
