// The period that an invoice of a subscription at Stripe pays for, among its other lines.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Payments } from '#ports/payments.ts'
import { checkoutRequest } from '#test/scenes/checkout-request.ts'
import { type StripeStandIn, stripeStandIn } from '#test/stand-ins/stripe.ts'
import { stripePayments } from './stripe.ts'

let stripe: StripeStandIn
let payments: Payments
let paid: string

beforeAll(async () => {
  stripe = await stripeStandIn()
  const { url, secretKey } = stripe
  payments = stripePayments({ company: 'br', url, secretKey, webhookSecrets: [], livemode: false })
  const { organizationId, organizationName, organizationEmail, organizationCnpj } = checkoutRequest()
  const { reference } = await payments.openSubscription({
    idempotencyKey: 'order 9',
    orderId: 9,
    orderNumber: 'O-9',
    customer: null,
    amount: '150.00',
    currency: 'BRL',
    interval: 'month',
    trialDays: null,
    organizationId,
    organizationName,
    organizationEmail,
    organizationCnpj,
  })
  paid = stripe.subscriptions.get(reference)?.latest_invoice ?? ''
  stripe.pay(paid)
})
afterAll(() => stripe.close())

const at = (day: string): number => Date.parse(`${day}T10:00:00Z`) / 1000
const line = (start: string, end: string, proration: boolean | null = false) => ({
  id: 'il_1',
  object: 'line_item',
  description: 'A line',
  amount: 1,
  period: { start: at(start), end: at(end) },
  parent:
    proration === null
      ? { type: 'invoice_item_details', subscription_item_details: null }
      : { type: 'subscription_item_details', subscription_item_details: { subscription: 'sub_1', proration } },
})
const MONTH = line('2027-01-31', '2027-02-28')
const PERIOD = { start: '2027-01-31T10:00:00.000Z', end: '2027-02-28T10:00:00.000Z' }

it.each([
  ['its only line', [MONTH], PERIOD],
  ['the latest of several', [line('2026-12-31', '2027-01-31'), MONTH], PERIOD],
  ['no proration', [line('2027-01-31', '2027-03-31', true), MONTH], PERIOD],
  ['no item that staff added at Stripe', [line('2027-01-31', '2027-05-31', null), MONTH], PERIOD],
  ['nothing, when no line is of a subscription', [line('2027-01-31', '2027-02-28', null)], null],
  ['nothing, when a period is empty', [line('2027-01-31', '2027-01-31')], null],
  ['nothing, when no line has a period', [{ ...MONTH, period: undefined }], null],
])('is that of %s', async (_what, data, period) => {
  Object.assign(stripe.invoices.get(paid)?.lines ?? {}, { data })
  expect(await payments.look('invoice', paid)).toMatchObject({ status: 'paid', period })
})
