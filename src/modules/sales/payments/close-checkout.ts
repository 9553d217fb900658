// Closes an invoice's checkout at the provider, so that nobody pays an invoice that is void or was paid another way.
import { organizationJob } from '#kernel/jobs/jobs.ts'
import { PaymentRefused } from '#ports/payments.ts'
import { failPermanently, notInUse, providerBehind } from './ask-provider.ts'
import { checkoutKey } from './checkout-key.ts'
import { closeCheckout } from './enqueue-checkout.ts'
import { billedInvoice } from './queries.ts'

export const closeCheckoutJob = organizationJob(closeCheckout, {
  before: async (io, { payload }) => {
    const invoice = await billedInvoice(io, payload.invoice_id)
    const reference = payload.reference ?? invoice?.payment_invoice_id
    if (!invoice || !reference) return
    const { company } = invoice
    const { payments, provider } = await providerBehind(io, company, reference)
    if (!payments) throw notInUse({ company, provider, reference })
    await payments
      .closeCheckout(reference, checkoutKey(invoice, `close-${reference}`))
      .catch(async (error: unknown) => {
        if (!(error instanceof PaymentRefused)) throw error
        // Paid in the meantime: that payment is recorded when it is reported.
        const state = await payments.look('invoice', reference)
        if (state.status !== 'paid') failPermanently(error)
      })
  },
})
