// The jobs of invoices, which archive their documents.
import { archiving } from '#modules/documents/documents-of-record/archive-document.ts'
import { invoiceDocument } from './archive.ts'

const archived = archiving(invoiceDocument)

export const invoiceJobs = archived.jobs
export const invoiceConsumers = archived.consumers
