// What a preview takes for granted of a checkout: that the provider closes it.
import { invoices } from '#modules/sales/invoices/queries.ts'
import { assumedAfterJob, previewed } from '#kernel/jobs/preview.ts'
import { closeCheckout, replaceCheckout } from './enqueue-checkout.ts'

export const paymentAssumptions = [
  assumedAfterJob(closeCheckout, async (ctx, { invoice_id: id, reference }) => {
    const { payment_invoice_id } = await invoices.forChange(ctx, id)
    const isOpen = (reference ?? payment_invoice_id) !== null
    return isOpen ? previewed('payment_provider', 'close_checkout', { resource: 'invoice', id }) : null
  }),
  // The address of the new checkout is the provider's to say.
  assumedAfterJob(replaceCheckout, (_ctx, { invoice_id: id }) =>
    Promise.resolve(previewed('payment_provider', 'replace_checkout', { resource: 'invoice', id })),
  ),
]
