// What a preview takes for granted of a tax invoice: that the authority cancels it.
import { move } from '#kernel/data/changes.ts'
import { assumedAfterJob, previewed } from '#kernel/jobs/preview.ts'
import { askForCancellation } from './declaration-jobs.ts'
import { taxInvoices } from './queries.ts'
import { pointInvoice } from './send-declaration.ts'
import { taxInvoiceMoves, taxInvoicesTable } from './tax-invoice.ts'

export const taxInvoiceAssumptions = [
  assumedAfterJob(askForCancellation, async (ctx, { tax_invoice_id: id }) => {
    const { invoice_id, substatus } = await taxInvoices.forChange(ctx, id)
    if (substatus !== 'cancelling') return null
    const cancelled = { substatus: null, cancelled_at: ctx.now.toISOString() }
    await move(ctx, taxInvoicesTable, id, taxInvoiceMoves.cancel, cancelled)
    await pointInvoice(ctx, invoice_id)
    return previewed('tax_authority', 'cancel_tax_invoice', { resource: 'tax_invoice', id })
  }),
]
