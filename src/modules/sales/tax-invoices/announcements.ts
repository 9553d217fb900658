// The mail about an issued tax invoice, to the members with the scope `finances`.
import { announcement } from '#modules/messages/notifications/announcement.ts'
import { membersWith } from '#modules/messages/notifications/recipients.ts'
import { attached, brings } from '#modules/documents/documents-of-record/attach-document.ts'
import { serveWithin } from '#modules/documents/documents-of-record/serve-document.ts'
import { taxInvoiceDocument } from './archive.ts'
import { taxInvoiceXmlWithin } from './document.ts'
import { taxInvoices } from './queries.ts'
import { taxInvoicesTable } from './tax-invoice.ts'

const taxInvoiceIssued = announcement({
  mail: 'tax-invoice-issued',
  event: taxInvoicesTable.events.issued,
  isMandatory: true,
  contact: 'billing',
  audience: membersWith('finances'),
  facts: taxInvoices.mailFacts,
  about: ({ id }) => ({ record: 'tax_invoice', id }),
  attach: async ({ id }, io) => [
    ...((await brings(io, 'entity_br', 'pdf')) ? await attached(() => serveWithin(io, taxInvoiceDocument, id)) : []),
    ...((await brings(io, 'entity_br', 'xml')) ? await attached(() => taxInvoiceXmlWithin(io, id)) : []),
  ],
  // None if it was cancelled since.
  content: ({ status, issued_at: issuedAt, total, currency, ...invoice }, common) =>
    status !== 'issued' || issuedAt === null
      ? null
      : {
          ...common,
          number: invoice.nfse_number ?? '',
          invoiceNumber: invoice.invoice_number,
          accessKey: invoice.access_key ?? '',
          issuedAt,
          total,
          currency,
        },
})

export const taxInvoiceAnnouncements = [taxInvoiceIssued]
