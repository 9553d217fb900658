// Subscriptions at Stripe: charged automatically, by card, once the customer has paid the first invoice on its page.
import {
  type CancellationTime,
  PaymentRefused,
  type ProviderSubscription,
  type SubscriptionRequest,
} from '#ports/payments.ts'
import { type StripeApi, stripeAmount } from './api.ts'
import { ensureCustomer } from './customer.ts'
import { ProductAnswer, SubscriptionAnswer } from './shapes.ts'

export async function openSubscription(api: StripeApi, request: SubscriptionRequest): Promise<ProviderSubscription> {
  const unit_amount = stripeAmount(request.amount, request.currency)
  if (unit_amount === 0) throw new PaymentRefused('There is nothing to pay')
  const customer = await ensureCustomer(api, request)
  const about = { organization_id: String(request.organizationId), order_id: String(request.orderId) }
  const { id: product } = await api.ask(ProductAnswer, (stripe) =>
    stripe.products.create(
      { name: `Order ${request.orderNumber}`, metadata: about },
      { idempotencyKey: `${request.idempotencyKey}-product` },
    ),
  )
  const currency = request.currency.toLowerCase()
  const price_data = { currency, product, unit_amount, recurring: { interval: request.interval } }
  const { id } = await api.ask(SubscriptionAnswer, (stripe) =>
    stripe.subscriptions.create(
      {
        customer,
        items: [{ price_data }],
        collection_method: 'charge_automatically',
        payment_behavior: 'default_incomplete',
        // Boleto and Pix cannot be charged again without the payer.
        payment_settings: { payment_method_types: ['card'], save_default_payment_method: 'on_subscription' },
        metadata: about,
      },
      { idempotencyKey: request.idempotencyKey },
    ),
  )
  return { ...(await retrieveSubscription(api, id)), customer }
}

/** The present status and page: a repeated idempotency key gives those of the first answer. */
async function retrieveSubscription(api: StripeApi, id: string) {
  const now = await api.ask(SubscriptionAnswer, (stripe) =>
    stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] }),
  )
  const invoice = typeof now.latest_invoice === 'object' ? now.latest_invoice : null
  return { reference: id, status: now.status, checkoutUrl: invoice?.hosted_invoice_url ?? null }
}

export async function cancelSubscription(api: StripeApi, reference: string, at: CancellationTime): Promise<void> {
  try {
    await api.ask(SubscriptionAnswer, ({ subscriptions }) =>
      at === 'now' ? subscriptions.cancel(reference) : subscriptions.update(reference, { cancel_at_period_end: true }),
    )
  } catch (error) {
    // Of a subscription that has ended Stripe answers that it does not exist, or that it cannot be changed.
    if (!(error instanceof PaymentRefused)) throw error
    const { status } = await api.ask(SubscriptionAnswer, (stripe) => stripe.subscriptions.retrieve(reference))
    if (status !== 'canceled' && status !== 'incomplete_expired') throw error
  }
}
