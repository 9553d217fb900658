// Refunds at Stripe, of the payment that an invoice was paid with.
import { PaymentRefused, type ProviderRefund, type RefundRequest } from '#ports/payments.ts'
import { type StripeApi, stripeAmount } from './api.ts'
import { lookAtInvoice } from './checkout.ts'
import { idOf, RefundAnswer } from './shapes.ts'

export async function refundPayment(api: StripeApi, refund: RefundRequest): Promise<ProviderRefund> {
  const amount = stripeAmount(refund.amount, refund.currency)
  const { payments } = await lookAtInvoice(api, refund.reference)
  const paid = payments?.data.find(({ status }) => status === 'paid')?.payment
  const [payment_intent, charge] = [idOf(paid?.payment_intent), idOf(paid?.charge)]
  if (payment_intent === null && charge === null) throw new PaymentRefused('The invoice has no payment to refund')
  const { id, status } = await api.ask(RefundAnswer, (stripe) =>
    stripe.refunds.create(
      {
        ...(payment_intent === null ? {} : { payment_intent }),
        ...(payment_intent === null && charge !== null ? { charge } : {}),
        amount,
        metadata: { refund_id: String(refund.refundId) },
      },
      { idempotencyKey: refund.idempotencyKey },
    ),
  )
  return { reference: id, status: refundStatus(status) }
}

/** A status that we do not know has not ended yet, as far as we can say. */
export function refundStatus(status: string | null): ProviderRefund['status'] {
  if (status === 'succeeded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'processing'
}
