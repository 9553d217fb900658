// Subscriptions at Stripe: charged automatically, by card, once the customer has paid the first invoice on its page.
import {
  type CancellationTime,
  PaymentRefused,
  type ProviderSubscription,
  type SubscriptionPlan,
  type SubscriptionRequest,
} from '#ports/payments.ts'
import { type StripeApi, stripeAmount } from './api.ts'
import { ensureCustomer } from './customer.ts'
import { idOf, ProductAnswer, SubscriptionAnswer, SubscriptionItemsAnswer } from './shapes.ts'

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
        ...(request.trialDays !== null && {
          trial_period_days: request.trialDays,
          // Its page asks for the card: there is none that would stay valid until the end of a trial.
          trial_settings: { end_behavior: { missing_payment_method: 'create_invoice' } },
        }),
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
  const checkoutUrl = invoice?.status === 'paid' ? null : (invoice?.hosted_invoice_url ?? null)
  const trialEndsAt = typeof now.trial_end === 'number' ? new Date(now.trial_end * 1000).toISOString() : null
  return { reference: id, status: statusOf(now), checkoutUrl, trialEndsAt }
}

/** While nothing is collected it is `paused` to us; Stripe keeps the status. */
export const statusOf = ({ status, pause_collection: pause }: SubscriptionAnswer): string =>
  pause && !ENDED.includes(status) && status !== 'incomplete' ? 'paused' : status

const ENDED = ['canceled', 'incomplete_expired']

export const cancelSubscription = (api: StripeApi, reference: string, at: CancellationTime): Promise<void> =>
  unlessEnded(api, reference, async () => {
    await api.ask(SubscriptionAnswer, ({ subscriptions }) =>
      at === 'now' ? subscriptions.cancel(reference) : subscriptions.update(reference, { cancel_at_period_end: true }),
    )
  })

export const keepSubscription = (api: StripeApi, reference: string): Promise<void> =>
  unlessEnded(api, reference, async () => {
    await api.ask(SubscriptionAnswer, ({ subscriptions }) =>
      subscriptions.update(reference, { cancel_at_period_end: false }),
    )
  })

/** Of the next invoices; what is charged already stays. */
export const changeSubscription = (api: StripeApi, { reference, amount, currency }: SubscriptionPlan): Promise<void> =>
  unlessEnded(api, reference, async () => {
    const unit_amount = stripeAmount(amount, currency)
    const { items, status } = await api.ask(SubscriptionItemsAnswer, (stripe) =>
      stripe.subscriptions.retrieve(reference),
    )
    if (ENDED.includes(status)) return
    const [item, another] = items.data
    const product = idOf(item?.price.product)
    if (!item || another || product === null) throw new PaymentRefused('It charges for more than was asked for')
    if (item.price.unit_amount === unit_amount) return
    const { interval } = item.price.recurring
    const price_data = { currency: currency.toLowerCase(), product, unit_amount, recurring: { interval } }
    await api.ask(SubscriptionAnswer, ({ subscriptions }) =>
      subscriptions.update(reference, { items: [{ id: item.id, price_data }], proration_behavior: 'none' }),
    )
  })

/** Stripe goes on making invoices, and voids them. */
export const pauseSubscription = (api: StripeApi, reference: string): Promise<void> =>
  unlessEnded(api, reference, async () => {
    await api.ask(SubscriptionAnswer, ({ subscriptions }) =>
      subscriptions.update(reference, { pause_collection: { behavior: 'void' } }),
    )
  })

/**
 * Where the latest interval was not charged because of the pause, a new one begins now. The state tells, so that a
 * repeat begins no second one.
 */
export const resumeSubscription = (api: StripeApi, reference: string): Promise<void> =>
  unlessEnded(api, reference, async () => {
    const { status, latest_invoice: latest } = await api.ask(SubscriptionAnswer, ({ subscriptions }) =>
      subscriptions.update(reference, { pause_collection: '', expand: ['latest_invoice'] }),
    )
    if (status === 'paused')
      throw new PaymentRefused('It was paused there in another way, and can be resumed only there')
    const isUncharged = typeof latest === 'object' && NOT_CHARGED.includes(latest?.status ?? null)
    if (isUncharged && !ENDED.includes(status))
      await api.ask(SubscriptionAnswer, ({ subscriptions }) =>
        subscriptions.update(reference, { billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' }),
      )
  })

const NOT_CHARGED: readonly (string | null)[] = ['void', 'uncollectible']

/** Of a subscription that has ended Stripe answers that it does not exist, or that it cannot be changed. */
async function unlessEnded(api: StripeApi, reference: string, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof PaymentRefused)) throw error
    const { status } = await api.ask(SubscriptionAnswer, (stripe) => stripe.subscriptions.retrieve(reference))
    if (!ENDED.includes(status)) throw error
  }
}
