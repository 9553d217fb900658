// Somebody decides about a record while a job waits for the answer of another system about it: the decision stays.
// test/sweeps/late-results.test.ts has the other jobs, and where their tests are.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyOf, drain, shopScene, type ShopScene } from '#test/scenes/shop.ts'
import { crmScene, type CrmScene } from '#test/scenes/crm.ts'
import { buyerOf, sentQuote } from '#test/scenes/commerce.ts'
import { openInvoice } from '#test/scenes/paid-invoices.ts'
import { KINDS, type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'

/** Lets `decide` happen once, after the port's next answer and before the job writes what it makes of it. */
function decideDuring<Port extends object>(
  port: Port | null,
  method: keyof Port & string,
  decide: () => Promise<void>,
) {
  if (!port) throw new Error('no such system is configured')
  const ask: unknown = Reflect.get(port, method)
  if (typeof ask !== 'function') throw new Error(`the port has no ${method}`)
  const answer = async (...given: unknown[]): Promise<unknown> => {
    Reflect.set(port, method, ask)
    const answered: unknown = await Reflect.apply(ask, port, given)
    await decide()
    return answered
  }
  Reflect.set(port, method, answer)
}

describe('a tax invoice that is cancelled while its declaration is signed', () => {
  let scene: TaxScene
  beforeAll(async () => (scene = await taxScene()))
  afterAll(() => scene.app.close())

  it('stays cancelled, and nothing is sent', async () => {
    const invoice_id = await openInvoice(scene.app, scene.acme)
    const { data } = await scene.acme.staff.post('/tax-invoices', { invoice_id })
    decideDuring(scene.app.service.ports.taxAuthority, 'prepare', async () => {
      const why = { reason_code: '1', reason: 'Wrong customer, to be made anew' }
      expect((await scene.acme.staff.post(`/tax-invoices/${data.id}/cancel`, why)).status).toBe(200)
    })
    await scene.work()
    await scene.workLong(2)
    expect(await scene.get(data.id)).toMatchObject({ status: 'cancelled', cancel_reason_code: '1' })
    expect(KINDS(scene.authority.calls)).toEqual([])
  })
})

describe('an order that is cancelled while the shop is asked for its copy', () => {
  let scene: ShopScene
  beforeAll(async () => void (scene = await shopScene()))
  afterAll(() => scene.close())

  it('stays cancelled, and the copy follows', async () => {
    const quoteId = await sentQuote(scene.acme)
    const { order_id: orderId } = (await scene.buyer.post(`/quotes/${quoteId}/accept`)).data
    decideDuring(scene.app.service.ports.commerce.entity_br, 'putOrder', async () => {
      expect((await scene.acme.staff.post(`/orders/${orderId}/cancel`)).status).toBe(200)
    })
    await drain(scene)
    scene.app.clock.advance(60)
    await drain(scene)
    expect((await scene.buyer.get(`/orders/${orderId}`)).data.status).toBe('cancelled')
    expect(copyOf(scene, orderId).status).toBe('cancelled')
  })
})

describe('a quote that is rejected while the CRM is asked for its deal', () => {
  let scene: CrmScene
  beforeAll(async () => void (scene = await crmScene()))
  afterAll(() => scene.close())

  it('has a deal in the stage of a rejected quote', async () => {
    const acme = await scene.app.world.organization({ name: 'Acme' })
    const buyer = await buyerOf(acme)
    await scene.app.service.worker.drain()
    const quote = await sentQuote(acme)
    decideDuring(scene.app.service.ports.crm.entity_br, 'saveDeal', async () => {
      expect((await buyer.post(`/quotes/${quote}/reject`, { reason: 'Too late' })).status).toBe(200)
    })
    await scene.app.service.worker.drain()
    const deal = [...scene.portal.store.deals.values()].find(
      ({ properties }) => properties['titular_quote_id'] === String(quote),
    )
    expect(deal?.properties['dealstage']).toBe('closedlost')
  })
})
