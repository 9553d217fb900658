// Refunds at Stripe, of the payment that an invoice was paid with.
import { PaymentRefused, type ProviderRefund, type RefundRequest } from '#ports/payments.ts'
import { type StripeApi, stripeAmount } from './api.ts'
import { lookAtInvoice } from './checkout.ts'
import { idOf, RefundAnswer, RefundList } from './shapes.ts'

const KEY = 'titular_key'

export async function refundPayment(api: StripeApi, refund: RefundRequest): Promise<ProviderRefund> {
  const amount = stripeAmount(refund.amount, refund.currency)
  const { payments } = await lookAtInvoice(api, refund.reference)
  const paid = payments?.data.find(({ status }) => status === 'paid')?.payment
  const [payment_intent, charge] = [idOf(paid?.payment_intent), idOf(paid?.charge)]
  if (payment_intent === null && charge === null) throw new PaymentRefused('The invoice has no payment to refund')
  const payment = payment_intent === null ? { charge: charge ?? '' } : { payment_intent }
  const before = await madeBefore(api, payment, refund.idempotencyKey)
  if (before && before.amount !== amount) throw new PaymentRefused('The key is that of a refund of another amount')
  const { id, status } = before ?? (await make(api, { ...payment, amount }, refund))
  return { reference: id, status: refundStatus(status) }
}

type Payment = { payment_intent: string } | { charge: string }
type Asked = Payment & { amount: number }

const make = (api: StripeApi, asked: Asked, { refundId, idempotencyKey }: RefundRequest) =>
  api.ask(RefundAnswer, (stripe) =>
    stripe.refunds.create(
      { ...asked, metadata: { refund_id: String(refundId), [KEY]: idempotencyKey } },
      { idempotencyKey },
    ),
  )

/** Keys are forgotten after a day, and a job that was parked may be restarted later: the refund itself remembers. */
async function madeBefore(api: StripeApi, payment: Payment, key: string) {
  const { data } = await api.ask(RefundList, (stripe) => stripe.refunds.list({ ...payment, limit: 100 }))
  return data.find(({ metadata }) => metadata?.[KEY] === key) ?? null
}

/** A status that we do not know has not ended yet, as far as we can say. */
export function refundStatus(status: string | null): ProviderRefund['status'] {
  if (status === 'succeeded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'processing'
}
