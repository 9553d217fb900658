// The mail about a tax invoice that was issued: to everybody in the organization who may see money, each with its own job.
import { sendMail } from '#areas/notifications/send-mail.ts'
import { enqueue, organizationJob } from '#kernel/jobs/jobs.ts'
import { taxInvoices } from './queries.ts'

export const taxInvoiceMailJobs = [
  organizationJob({
    kind: 'tax-invoices/announce-issued',
    run: async (ctx, { payload }) => {
      for (const { user_id } of await ctx.ask(taxInvoices.readers(ctx.organizationId, ctx.now)))
        await enqueue(ctx, 'tax-invoices/mail-issued', { tax_invoice_id: payload['resource_id'], user_id })
    },
  }),
  organizationJob({
    kind: 'tax-invoices/mail-issued',
    before: async (outside, job) => {
      const { tax_invoice_id, user_id } = job.payload
      const org = outside.organizationId ?? 0
      const [fact] = await outside.read(taxInvoices.forMail(org, tax_invoice_id))
      const reader = (await outside.read(taxInvoices.readers(org, outside.now))).find((one) => one.user_id === user_id)
      // Cancelled meanwhile; or the reader has left the organization, or lost the scope.
      if (fact?.status !== 'issued' || fact.issued_at === null || !reader) return
      await sendMail(outside, job, reader, {
        kind: 'tax-invoice-issued',
        organizationName: fact.organization_name,
        number: fact.nfse_number ?? '',
        invoiceNumber: fact.invoice_number,
        accessKey: fact.access_key ?? '',
        issuedAt: fact.issued_at,
        total: fact.total,
        currency: fact.currency,
        link: null,
      })
    },
  }),
]
