// Refunds at Stripe, of an invoice's payment.
import { PaymentRefused, type ProviderRefund, type RefundRequest } from '#ports/payments.ts'
import { type StripeApi, stripeAmount } from './api.ts'
import { retrieveInvoice } from './checkout.ts'
import { idOf, RefundAnswer, RefundList } from './shapes.ts'

const KEY = 'titular_key'

export async function refundPayment(api: StripeApi, refund: RefundRequest): Promise<ProviderRefund> {
  const amount = stripeAmount(refund.amount, refund.currency)
  const { payments } = await retrieveInvoice(api, refund.reference)
  const paid = payments?.data.find(({ status }) => status === 'paid')?.payment
  const [payment_intent, charge] = [idOf(paid?.payment_intent), idOf(paid?.charge)]
  if (payment_intent === null && charge === null) throw new PaymentRefused('The invoice has no payment to refund')
  const payment = payment_intent === null ? { charge: charge ?? '' } : { payment_intent }
  const before = await findRefund(api, payment, refund.idempotencyKey)
  if (before && before.amount !== amount) throw new PaymentRefused('The key is that of a refund of another amount')
  const { id, status } = before ?? (await make(api, { ...payment, amount }, refund))
  return { reference: id, status: refundStatus(status) }
}

type Payment = { payment_intent: string } | { charge: string }
type RefundedPayment = Payment & { amount: number }

const make = (api: StripeApi, asked: RefundedPayment, { refundId, idempotencyKey }: RefundRequest) =>
  api.ask(RefundAnswer, (stripe) =>
    stripe.refunds.create(
      { ...asked, metadata: { refund_id: String(refundId), [KEY]: idempotencyKey } },
      { idempotencyKey },
    ),
  )

/**
 * The refund with this key in its metadata: Stripe forgets keys after a day, and a dead letter may be retried later.
 */
async function findRefund(api: StripeApi, payment: Payment, key: string) {
  const { data } = await api.ask(RefundList, (stripe) => stripe.refunds.list({ ...payment, limit: 100 }))
  return data.find(({ metadata }) => metadata?.[KEY] === key) ?? null
}

/** An unknown status counts as not ended yet. */
export function refundStatus(status: string | null): ProviderRefund['status'] {
  if (status === 'succeeded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'processing'
}
