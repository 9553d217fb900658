// A legal entity that changes its payment provider: no id of the old one reaches the new one (docs/decisions/0035).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Payments } from '#ports/payments.ts'
import { stripePayments } from '../../../adapters/stripe/stripe.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, type Bought, type StripeScene, stripeScene, sendEvent } from '#test/scenes/stripe.ts'
import { type StripeStandIn, stripeStandIn } from '#test/stand-ins/stripe.ts'

let at: StripeScene
let next: StripeStandIn
/** Every call to the new provider, with what it was given. */
const asked: string[] = []
let old: Payments | null

beforeAll(async () => {
  at = await stripeScene()
  next = await stripeStandIn()
  old = at.app.service.ports.payments.entity_br
  await at.app.database.query(
    `insert into jobs (kind, every_seconds, run_at) values ('payments/reconcile', 300, '2999-01-01')`,
  )
})
afterAll(async () => {
  await at.close()
  await next.close()
})

/** As a restart with other settings would do it. */
function changeProvider(): void {
  const { secretKey, webhookSecret, url } = next
  const account = { company: 'entity_br', secretKey, webhookSecrets: [webhookSecret], livemode: false, url }
  const payments = stripePayments({ ...account, providerName: 'another' })
  at.app.service.ports.payments.entity_br = new Proxy(payments, {
    get(inner, name) {
      const value: unknown = Reflect.get(inner, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        asked.push(JSON.stringify([name, ...given]))
        return Reflect.apply(value, inner, given)
      }
    },
  })
}

const drain = () => at.app.service.worker.drain()
async function reconcile(minutes: number): Promise<void> {
  at.app.clock.advance(minutes * 60)
  await at.app.database.query(`update jobs set run_at = $1 where kind = 'payments/reconcile'`, [at.app.clock.now])
  await drain()
}
const invoiceOf = async ({ invoice_id }: Bought) => (await at.buyer.get(`/invoices/${invoice_id}`)).data
const customer = async () => (await at.acme.owner.get(`/organizations/${at.acme.id}`)).data.payment_customer_id_br
const notes = async (from: number) => (await deadLetters(at.app)).slice(from).map(({ last_error }) => last_error)

describe('a legal entity that changes its payment provider', () => {
  const before: Record<'paid' | 'open' | 'voided' | 'credited' | 'subscribed', Bought> = {} as never
  let oldCustomer: string
  let oldSubscription: string

  beforeAll(async () => {
    for (const name of ['paid', 'open', 'voided', 'credited', 'subscribed'] as const) before[name] = await bought(at)
    await sendEvent(at, 'invoice.paid', at.stripe.pay(before.paid.reference))
    const path = `/orders/${before.subscribed.order_id}/subscription`
    await at.acme.staff.post(path, { interval: 'month' })
    await drain()
    oldSubscription = (await at.buyer.get(path)).data.reference
    oldCustomer = await customer()
    changeProvider()
  })

  it('gets a new customer by the next checkout, which is paid and settled there', async () => {
    const payment = await bought(at)
    const [opening] = asked.filter((call) => call.startsWith('["openCheckout"'))
    expect(JSON.parse(opening ?? '')[1]).toMatchObject({ customer: null, invoiceId: payment.invoice_id })
    expect(await customer()).not.toBe(oldCustomer)
    expect([...next.customers.keys()]).toEqual([await customer()])
    const { body, headers } = next.event('invoice.paid', next.pay(payment.reference), at.app.clock.now)
    expect((await at.app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)).status).toBe(200)
    await drain()
    expect((await invoiceOf(payment)).status).toBe('paid')
    await bought(at)
    const [, second] = asked.filter((call) => call.startsWith('["openCheckout"'))
    expect(JSON.parse(second ?? '')[1].customer).toBe(await customer())
  })

  it('asks no provider about old references without news', async () => {
    for (let times = 0; times < 3; times++) await reconcile(61)
    expect((await invoiceOf(before.open)).status).toBe('open')
  })

  it('makes a dead letter of a checkout that it cannot close and a subscription that it cannot end', async () => {
    const from = (await deadLetters(at.app)).length
    expect((await at.acme.staff.post(`/invoices/${before.voided.invoice_id}/void`)).status).toBe(200)
    await at.acme.staff.post(`/orders/${before.subscribed.order_id}/subscription/cancel`)
    await drain()
    const why = 'is at stripe-test, which entity_br does not use any more: see to it there by hand'
    expect(await notes(from)).toEqual([
      expect.stringContaining(`${before.voided.reference} ${why}`),
      expect.stringContaining(`${oldSubscription} ${why}`),
    ])
  })

  it('opens the checkout for the rest of a credited invoice at the new one; the old one is a dead letter', async () => {
    const from = (await deadLetters(at.app)).length
    const path = `/invoices/${before.credited.invoice_id}/credit-notes`
    expect((await at.acme.staff.post(path, { amount: '50.00', reason: 'Less' })).status).toBe(201)
    await drain()
    const { payment_invoice_id } = await invoiceOf(before.credited)
    expect(next.invoices.get(payment_invoice_id)).toMatchObject({ total: 10_000 })
    expect(await notes(from)).toEqual([expect.stringContaining(before.credited.reference)])
  })

  it('fails a refund of what was paid before, and staff record it by hand', async () => {
    const asking = await at.buyer.post(`/orders/${before.paid.order_id}/refund`, { amount: '10.00' })
    const id = asking.data.refund_id
    await at.acme.staff.post(`/refunds/${id}/approve`)
    await drain()
    const refund = (await at.buyer.get(`/refunds/${id}`)).data
    expect(refund).toMatchObject({
      status: 'failed',
      failure_reason: 'It was paid at stripe-test, which is not in use any more',
    })
    expect((await at.acme.staff.post(`/refunds/${id}/settle`)).data.status).toBe('succeeded')
  })

  it('has sent no id of the old one to the new one', () => {
    const ids = [oldCustomer, oldSubscription, ...Object.values(before).map(({ reference }) => reference)]
    expect(asked.filter((call) => ids.some((id) => call.includes(id)))).toEqual([])
  })

  it('finds payments made in the meantime when it goes back', async () => {
    at.stripe.pay(before.open.reference)
    at.app.service.ports.payments.entity_br = old
    await reconcile(61)
    expect((await invoiceOf(before.open)).status).toBe('paid')
  })
})

describe('a payment customer that is entered by hand', () => {
  it('is used at the provider in use, and belongs to it from then on', async () => {
    const other = await at.app.world.organization()
    const path = `/organizations/${other.id}`
    const entered = { payment_customer_id_br: [...at.stripe.customers.keys()][0] }
    await at.acme.owner.put(`/organizations/${at.acme.id}`, { payment_customer_id_br: null })
    expect((await other.owner.put(path, entered)).status).toBe(200)
    const buyer = await other.member({ scopes: ['quotes', 'finances', 'orders'] })
    const providerOf = async () =>
      (
        await at.app.database.query<{ provider: string | null }>(
          'select payment_customer_provider_br as provider from organizations where id = $1',
          [other.id],
        )
      )[0]?.provider
    expect(await providerOf()).toBeNull()
    await bought({ ...at, acme: other, buyer })
    expect((await other.owner.get(path)).data).toMatchObject(entered)
    expect(await providerOf()).toBe('stripe-test')
    expect((await other.owner.put(path, { payment_customer_id_br: 'cus_typed' })).status).toBe(200)
    expect(await providerOf()).toBeNull()
  })
})
