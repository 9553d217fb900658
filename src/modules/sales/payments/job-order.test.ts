// Two jobs about one record: the first to ask the provider is the first to commit, however long its answer takes.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, type Bought, refunded, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const sent = async (type: string, object: object): Promise<void> => {
  const { body, headers } = at.stripe.event(type, object, at.app.clock.now)
  expect((await at.app.world.anonymous.post('/webhooks/payment/entity_br', body, headers)).status).toBe(200)
}

async function subscribed(): Promise<Bought> {
  const payment = await bought(at)
  const path = `/orders/${payment.order_id}/subscription`
  await at.acme.staff.post(path, { interval: 'month' })
  await at.app.service.worker.drain()
  return { ...payment, subscription: (await at.buyer.get(path)).data.reference }
}
const orderStatus = async ({ order_id }: Bought): Promise<string> =>
  (await at.buyer.get(`/orders/${order_id}`)).data.status

/**
 * Holds the first answer about the reference until a job about another record has committed. By then any job that could
 * run at the same time as the first has run.
 */
function holdFirstLook(
  reference: string,
  released: () => Promise<boolean>,
  meanwhile: () => void,
): { count: () => number } {
  const payments = at.app.service.ports.payments.entity_br
  if (!payments) throw new Error('no provider')
  const look = payments.look.bind(payments)
  let looks = 0
  payments.look = async (resource, asked) => {
    const isFirst = asked === reference && ++looks === 1
    const state = await look(resource, asked)
    if (!isFirst) return state
    meanwhile()
    await until(released)
    // A job that runs at the same time may be about to write.
    if (looks > 1) await until(async () => (await unsettled()) < 2)
    return state
  }
  return { count: () => looks }
}
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve))
}
const unsettled = async (): Promise<number> =>
  (
    await at.app.database.query(
      `select id from jobs where kind in ('payments/refresh-refund', 'subscriptions/refresh')`,
    )
  ).length

it('a subscription that is past due and then active again ends active', async () => {
  const [one, other] = [await subscribed(), await subscribed()]
  const object = at.stripe.subscriptions.get(one.subscription) ?? { status: '' }
  const others = Object.assign(at.stripe.subscriptions.get(other.subscription) ?? {}, { status: 'trialing' })
  Object.assign(object, { status: 'past_due' })
  const looks = holdFirstLook(
    one.subscription,
    async () => (await orderStatus(other)) === 'processing',
    () => Object.assign(object, { status: 'active' }),
  )
  await sent('customer.subscription.updated', { ...object })
  await sent('customer.subscription.updated', { ...object, status: 'active' })
  await sent('customer.subscription.updated', { ...others })
  await at.app.service.worker.drain()
  expect(looks.count()).toBe(2)
  expect(await orderStatus(one)).toBe('completed')
})

it('a refund that failed and then succeeded ends succeeded', async () => {
  const [payment, other] = [await bought(at), await subscribed()]
  at.stripe.pay(payment.reference)
  const { id, object } = await refunded(at, payment, '10.00')
  const refund = Object.assign(object, { status: 'failed' })
  const { provider_reference } = (await at.buyer.get(`/refunds/${id}`)).data
  const others = Object.assign(at.stripe.subscriptions.get(other.subscription) ?? {}, { status: 'trialing' })
  const looks = holdFirstLook(
    provider_reference,
    async () => (await orderStatus(other)) === 'processing',
    () => Object.assign(refund, { status: 'succeeded' }),
  )
  await sent('refund.updated', { ...refund })
  await sent('refund.updated', { ...refund, status: 'succeeded' })
  await sent('customer.subscription.updated', { ...others })
  await at.app.service.worker.drain()
  expect(looks.count()).toBe(2)
  expect((await at.buyer.get(`/refunds/${id}`)).data.status).toBe('succeeded')
  expect(await deadLetters(at.app)).toEqual([])
})
