// How an invoice is paid, for the mails about it.
import { attached, brings } from '#modules/documents/documents-of-record/attach-document.ts'
import { serveWithin } from '#modules/documents/documents-of-record/serve-document.ts'
import type { IoContext } from '#kernel/data/context.ts'
import type { PaymentWays } from '#texts/mail/payment-ways.ts'
import type { MailAttachment } from '#ports/mail.ts'
import { invoiceDocument } from '../archive.ts'
import { optionsOf, type PayableInvoice } from './options-of.ts'
import { invoicePageUrl } from './page-link.ts'

/** What an announcement of an invoice has in common: the button opens its page. */
export const payLink = ({ id }: { id: number }, io: IoContext): string =>
  invoicePageUrl(io.ports, io.organizationId ?? 0, id)

/** The page itself is the link of the mail's button. */
export const waysToPay = (invoice: Omit<PayableInvoice, 'id'>, io: IoContext): PaymentWays => {
  const { pix, boleto, bank_transfer: transfer } = optionsOf(invoice, io)
  return { pix: pix?.copy_code ?? null, boleto: boleto?.line ?? null, transfer }
}

/** What the mails about an unpaid invoice say of it. */
export const unpaidContent = (invoice: Omit<PayableInvoice, 'id'>, io: IoContext) => ({
  number: invoice.number,
  total: invoice.amount_due,
  currency: invoice.currency,
  dueDate: invoice.due_date,
  options: waysToPay(invoice, io),
})

export const attachInvoice = async ({ id, company }: PayableInvoice, io: IoContext): Promise<MailAttachment[]> =>
  (await brings(io, company, 'pdf')) ? attached(() => serveWithin(io, invoiceDocument, id)) : []
