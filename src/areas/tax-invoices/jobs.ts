// What the worker does for tax invoices.
import { cancelJob } from './cancel.ts'
import { filingConsumers, filingJobs } from '#areas/filed-documents/filing.ts'
import { taxInvoiceDocument } from './filed.ts'
import { taxInvoiceMailJobs } from './mails.ts'
import { openJob } from './open.ts'
import { prepareJob } from './prepare.ts'
import { sendJob } from './send.ts'
import { sweepJob } from './sweep.ts'

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
