// The service with Stripe for the Brazilian entity: a stand-in over real HTTP.
import { type StripeStandIn, stripeStandIn } from '#test/stand-ins/stripe.ts'
import { stripePayments } from '../../src/adapters/stripe/stripe.ts'
import { expect } from 'vitest'
import { startApp, type TestApp, type TestAppOptions } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf } from './commerce.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

export type StripeScene = {
  app: TestApp
  stripe: StripeStandIn
  acme: Organization
  buyer: Speaker
  close: () => Promise<void>
}

export async function stripeScene(more: Pick<TestAppOptions, 'environment' | 'ports'> = {}): Promise<StripeScene> {
  const stripe = await stripeStandIn()
  const app = await startApp({
    environment: {
      ENTITY_BR_PAYMENTS: 'stripe',
      STRIPE_BR_SECRET_KEY: stripe.secretKey,
      STRIPE_BR_WEBHOOK_SECRETS: stripe.webhookSecret,
      ...more.environment,
    },
    // Documents of each payment are archived; rendering them would take most of the time.
    drawsNothing: true,
    ports: { payments: { entity_br: impatient(stripe), entity_global: null }, ...more.ports },
  })
  const acme = await app.world.organization()
  return {
    app,
    stripe,
    acme,
    buyer: await buyerOf(acme),
    close: async () => {
      await app.close()
      await stripe.close()
    },
  }
}

/** The adapter as the settings create it, but with a short timeout. */
const impatient = ({ secretKey, webhookSecret, url }: StripeStandIn) =>
  stripePayments({
    company: 'entity_br',
    secretKey,
    webhookSecrets: ['whsec_of_the_year_before', webhookSecret],
    livemode: false,
    url,
    timeoutMs: 5_000,
  })

/** Sends an event as Stripe does, and runs the jobs. */
export async function sendEvent(
  { app, stripe }: Pick<StripeScene, 'app' | 'stripe'>,
  type: string,
  object: object,
): Promise<number> {
  const { body, headers } = stripe.event(type, object, app.clock.now)
  const { status } = await app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)
  await app.service.worker.drain()
  return status
}

/** The answer of `GET /quotes/{id}/payment` with Stripe's id of the invoice. */
export type Bought = Answer['data']

export async function bought({ app, acme, buyer }: StripeScene, more: object = {}): Promise<Bought> {
  const payment = await acceptedQuote(app, acme, buyer, more)
  const { payment_invoice_id: reference } = (await buyer.get(`/invoices/${payment.invoice_id}`)).data
  return { ...payment, reference }
}

/** A refund of ours that exists at Stripe, as after `refunds/send`; its payment was recorded before. */
export async function refunded(
  { app, stripe, acme, buyer }: StripeScene,
  payment: Bought,
  amount: string,
): Promise<{ id: number; object: object }> {
  const { database, service } = app
  const { status } = (await buyer.get(`/invoices/${payment.invoice_id}`)).data
  if (status === 'open') await sendEvent({ app, stripe }, 'invoice.paid', stripe.invoices.get(payment.reference) ?? {})
  const [paid] = await database.query<{ id: number | null }>(
    `select min(id) as id from payments where organization_id = $1 and invoice_id = $2`,
    [acme.id, payment.invoice_id],
  )
  const [row] = await database.query<{ id: number; organization_id: number }>(
    `insert into refunds (organization_id, order_id, invoice_id, amount, currency, is_approved, payment_id)
     values ($1, $2, $3, $4, 'BRL', true, $5) returning id, organization_id`,
    [acme.id, payment.order_id, payment.invoice_id, amount, paid?.id],
  )
  await database.query(
    `update invoices set refund_reserved = refund_reserved + $1::numeric where organization_id = $2 and id = $3`,
    [amount, acme.id, payment.invoice_id],
  )
  const id = row?.id ?? 0
  const request = {
    idempotencyKey: `refund-${id}`,
    reference: payment.reference,
    refundId: id,
    amount,
    currency: 'BRL',
  }
  const answer = await service.ports.payments.entity_br?.refund(request)
  const reference = answer?.reference ?? ''
  await database.query('update refunds set provider_reference = $1 where id = $2', [reference, id])
  await database.query(
    `insert into payment_references (company, provider, reference, organization_id, resource, resource_id)
     values ('entity_br', 'stripe-test', $1, $2, 'refund', $3)`,
    [reference, acme.id, id],
  )
  const object = Object.assign(stripe.refunds.get(reference) ?? {}, { status: 'succeeded' })
  return { id, object }
}

export async function subscribed({ app, stripe, acme, buyer }: StripeScene, payment: Bought): Promise<object> {
  const path = `/orders/${payment.order_id}/subscription`
  expect((await acme.staff.post(path, { interval: 'month' })).status).toBe(201)
  await app.service.worker.drain()
  const { reference } = (await buyer.get(path)).data
  return Object.assign(stripe.subscriptions.get(reference) ?? {}, { status: 'active' })
}

export async function statesOf({ app, buyer }: StripeScene, payment: Bought, refundId: number) {
  const { quote_id, order_id, invoice_id } = payment
  const [{ data: quote }, { data: order }, { data: invoice }] = await Promise.all([
    buyer.get(`/quotes/${quote_id}`),
    buyer.get(`/orders/${order_id}`),
    buyer.get(`/invoices/${invoice_id}`),
  ])
  const [refund] = await app.database.query('select status from refunds where id = $1', [refundId])
  const entitlements = order.entitlements.map((one: { status: string }) => one.status)
  const { status, payment_status } = invoice
  const subscription = (await buyer.get(`/orders/${order_id}/subscription`)).data.status
  return {
    quote: quote.status,
    order: order.status,
    entitlements,
    invoice: { status, payment_status },
    refund,
    subscription,
  }
}
