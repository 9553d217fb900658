// What the worker does for tax invoices.
import { cancelJob } from './cancel-tax-invoice.ts'
import { filingConsumers, filingJobs } from '#areas/documents-of-record/archive-document.ts'
import { taxInvoiceDocument } from './archive.ts'
import { openJob } from './open-tax-invoices.ts'
import { prepareJob } from './prepare-declaration.ts'
import { sendJob } from './send-declaration.ts'
import { sweepJob } from './resume-waiting.ts'

export const taxInvoiceJobs = [openJob, prepareJob, sendJob, cancelJob, sweepJob, ...filingJobs(taxInvoiceDocument)]

export const taxInvoiceConsumers = [
  { event: 'titular/invoice/paid', job: 'tax-invoices/open' },
  ...filingConsumers(taxInvoiceDocument),
] as const
