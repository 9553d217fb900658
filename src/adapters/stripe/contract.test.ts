// The contract of the payments port on the Stripe adapter, over HTTP to the sandbox's payment provider.
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PaymentRefused } from '#ports/payments.ts'
import { type PaymentProvider, paymentsContract } from '#ports/payments.contract.ts'
import { checkoutRequest } from '#test/scenes/checkout-request.ts'
import { pay, type PaymentSandbox, paymentSandbox, SECRET_KEY } from '#test/scenes/payment-sandbox.ts'
import { stripePayments } from './stripe.ts'

async function sandbox(): Promise<PaymentProvider> {
  const world = await paymentSandbox()
  const ask = async (path: string, form: Record<string, string>): Promise<string> => {
    const headers = { authorization: `Bearer ${SECRET_KEY}` }
    const url = `${world.url}/sandbox/payments/br/v1/${path}`
    const answer = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(form) })
    return Value.Parse(Type.Object({ id: Type.String() }), await answer.json()).id
  }
  return {
    payments: world.payments,
    pay: async (checkoutUrl, outcome) => (await pay(checkoutUrl, outcome)).status === 303,
    dispute: async (reference, amount) => {
      const path = `payment_intents/${reference.replace(/^in_/, 'pi_')}/dispute`
      return ask(path, { amount: String(amount) })
    },
    decide: async (dispute, status) => void (await ask(`disputes/${dispute}/close`, { status })),
    renew: async (subscription) => void (await ask(`subscriptions/${subscription}/renew`, {})),
    events: () => world.received,
    close: () => world[Symbol.asyncDispose](),
  }
}

paymentsContract('Stripe', sandbox)

let world: PaymentSandbox
beforeEach(async () => void (world = await paymentSandbox()))
afterEach(() => world[Symbol.asyncDispose]())

it.each([
  ['another key', 'br', 'sk_test_wrong'],
  ['an account that there is not', 'none', SECRET_KEY],
])('is refused with %s', async (_what, company, secretKey) => {
  const url = `${world.url}/sandbox/payments/${company}`
  const payments = stripePayments({ company, url, secretKey, webhookSecrets: [], livemode: false })
  await expect(payments.openCheckout(checkoutRequest())).rejects.toThrow(PaymentRefused)
})
