// Refunds that the provider cannot confirm any more, because the legal entity has changed its provider: settled by hand.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Payments } from '#ports/payments.ts'
import { deadLetters } from '#test/scenes/commerce.ts'
import { bought, sendEvent, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const drain = () => at.app.service.worker.drain()
const seen = async (id: number) => (await at.acme.staff.get(`/refunds/${id}`)).data
const settle = (id: number, body?: object) => at.acme.staff.post(`/refunds/${id}/settle`, body)

/** A refund of an order that was paid at the provider; the job has not run. */
async function requested(): Promise<number> {
  const payment = await bought(at)
  await sendEvent(at, 'invoice.paid', at.stripe.pay(payment.reference))
  return (await at.buyer.post(`/orders/${payment.order_id}/refund`)).data.refund_id
}

async function withPayments<Result>(payments: Partial<Payments>, act: () => Promise<Result>): Promise<Result> {
  const { ports } = at.app.service
  const before = ports.payments.entity_br
  if (!before) throw new Error('the scene has a provider')
  ports.payments.entity_br = Object.assign(Object.create(before) as Payments, payments)
  try {
    return await act()
  } finally {
    ports.payments.entity_br = before
  }
}
const lost = () => Promise.reject(new Error('socket hang up'))

describe('POST /refunds/{id}/settle', () => {
  it('409 while the provider is in use, though it has not answered', async () => {
    const id = await requested()
    await drain()
    expect((await settle(id)).status).toBe(409)
    expect((await seen(id)).status).toBe('processing')
  })
  it('200 for one that was sent to a provider that is not in use any more', async () => {
    const id = await requested()
    await drain()
    expect((await seen(id)).provider_reference).toMatch(/^re_/)
    const answer = await withPayments({ provider: 'another' }, () => settle(id))
    expect(answer.data).toMatchObject({ id, status: 'succeeded' })
    expect((await seen(id)).steps.map(({ status }: { status: string }) => status)).toContain('done')
  })
  it('200 for one whose answer was lost before the provider changed: nobody calls it failed by itself', async () => {
    const id = await requested()
    await withPayments({ refund: lost }, drain)
    await withPayments({ provider: 'another' }, async () => {
      at.app.clock.advance(10)
      await drain()
      expect((await deadLetters(at.app)).at(-1)?.last_error).toContain('may have reached stripe-test')
      expect(await seen(id)).toMatchObject({
        status: 'processing',
        steps: [{ step: 'payment', status: 'failed' }, {}, {}, {}, {}, {}, {}],
      })
      // Nor after a restart.
      expect((await at.acme.staff.post(`/refunds/${id}/retry`)).status).toBe(200)
      await drain()
      expect((await seen(id)).status).toBe('processing')
      const failed = await settle(id, { status: 'failed', reason: 'Not found there' })
      expect(failed.data).toMatchObject({ status: 'failed', failure_reason: 'Not found there' })
    })
    expect((await settle(id, { status: 'failed' })).status).toBe(409)
    expect((await settle(id)).data).toMatchObject({ status: 'succeeded', failure_reason: null })
  })
  it('fails one that was never sent when the provider has changed', async () => {
    const id = await requested()
    await withPayments({ provider: 'another' }, drain)
    expect(await seen(id)).toMatchObject({ status: 'failed', failure_reason: expect.stringContaining('stripe-test') })
  })
  it('422 for another outcome', async () => {
    const answer = await settle(1, { status: 'rejected' })
    expect([answer.status, Object.keys(answer.errors?.fields ?? {})]).toEqual([422, ['status']])
  })
})
