// What the worker does for invoices.
import { archiving } from '#areas/documents-of-record/archive-document.ts'
import { invoiceDocument } from './archive.ts'

const archived = archiving(invoiceDocument)

export const invoiceJobs = archived.jobs
export const invoiceConsumers = archived.consumers
