// What the worker does for tax invoices.
import { cancelJob } from './cancel-tax-invoice.ts'
import { filingConsumers, filingJobs } from '#areas/documents-of-record/archive-document.ts'
import { taxInvoiceDocument } from './archive.ts'
import { taxInvoiceMailJobs } from './mails.ts'
import { openJob } from './open-tax-invoices.ts'
import { prepareJob } from './prepare-declaration.ts'
import { sendJob } from './send-declaration.ts'
import { sweepJob } from './resume-waiting.ts'

export const taxInvoiceJobs = [
  openJob,
  prepareJob,
  sendJob,
  cancelJob,
  sweepJob,
  ...taxInvoiceMailJobs,
  ...filingJobs(taxInvoiceDocument),
]

export const taxInvoiceConsumers = [
  { event: 'titular/invoice/paid', job: 'tax-invoices/open' },
  { event: 'titular/tax_invoice/issued', job: 'tax-invoices/announce-issued' },
  ...filingConsumers(taxInvoiceDocument),
] as const
