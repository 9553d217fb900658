// What the worker does for invoices.
import { filingConsumers, filingJobs } from '#areas/documents-of-record/archive-document.ts'
import { invoiceDocument } from './archive.ts'

export const invoiceJobs = filingJobs(invoiceDocument)
export const invoiceConsumers = filingConsumers(invoiceDocument)
