// Sent quotes as deals of the CRM: one each, in the stage of the quote's status, and what salespeople do with them.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buyerOf, draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import { crmScene, type CrmScene, hubspotEvent, inCrm, sendEvents } from '#test/scenes/crm.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let at: CrmScene
let acme: Organization
let buyer: Speaker
beforeAll(async () => void (at = await crmScene()))
afterAll(() => at.close())
beforeEach(async () => {
  acme = await at.app.world.organization({ name: 'Acme' })
  buyer = await buyerOf(acme)
  at.portal.trouble(null)
})

const work = () => at.app.service.worker.drain()
const dealsOf = (quote: number, portal = at.portal) =>
  [...portal.store.deals.values()].filter((deal) => deal.properties['titular_quote_id'] === String(quote))
const stageOf = (quote: number) => dealsOf(quote)[0]?.properties['dealstage']
const listed = async (query = '') =>
  (await at.administrator.get(`/admin/crm/deals?organization_id=${acme.id}${query}`)).data

/** Sent, and in the CRM. */
async function sent(more: object = {}): Promise<{ quote: number; deal: string }> {
  const quote = await sentQuote(acme, more)
  await work()
  return { quote, deal: dealsOf(quote)[0]?.id ?? '' }
}

describe('a quote', () => {
  it('is a deal of the organization’s company once it is sent, and not before', async () => {
    const { id, number, total } = await draftQuote(acme)
    await work()
    expect(dealsOf(id)).toEqual([])
    await acme.staff.post(`/quotes/${id}/send`)
    await work()
    const { crm_company_id_br: company } = (await acme.owner.get(`/organizations/${acme.id}`)).data
    expect(dealsOf(id)).toMatchObject([
      {
        properties: {
          titular_quote_id: String(id),
          dealname: `${number} · Acme`,
          amount: total,
          deal_currency_code: 'BRL',
          closedate: '2099-12-31T00:00:00.000Z',
          pipeline: 'default',
          dealstage: 'presentationscheduled',
        },
      },
    ])
    expect([...(dealsOf(id)[0]?.companies ?? [])]).toEqual([company])
  })
  it('moves its deal with each status', async () => {
    const { quote } = await sent()
    await buyer.get(`/quotes/${quote}`)
    await work()
    expect(stageOf(quote)).toBe('decisionmakerboughtin')
    const { order_id } = (await buyer.post(`/quotes/${quote}/accept`)).data
    await work()
    expect(stageOf(quote)).toBe('contractsent')
    expect(dealsOf(quote)[0]?.properties['closedate']).not.toContain('2099')
    const [invoice] = (await buyer.get(`/invoices/order/${order_id}`)).data
    expect((await acme.staff.post(`/invoices/${invoice.id}/pay`, {})).status).toBe(200)
    await work()
    expect(stageOf(quote)).toBe('closedwon')
    expect((await buyer.get(`/quotes/${quote}`)).data.status).toBe('fulfilled')
    expect(dealsOf(quote)).toHaveLength(1)
  })
  it.each([
    ['rejected', (quote: number) => buyer.post(`/quotes/${quote}/reject`, {})],
    ['cancelled', (quote: number) => acme.staff.post(`/quotes/${quote}/cancel`)],
  ])('that is %s is a lost deal', async (_status, act) => {
    const { quote } = await sent()
    expect((await act(quote)).status).toBe(200)
    await work()
    expect(stageOf(quote)).toBe('closedlost')
  })
  it('that was cancelled before it was sent has no deal', async () => {
    const { id } = await draftQuote(acme)
    await acme.staff.post(`/quotes/${id}/cancel`)
    await work()
    expect(dealsOf(id)).toEqual([])
  })
  it('has one deal when its creation took effect and the answer never came', async () => {
    await inCrm(at, acme)
    at.portal.trouble('after', 1)
    const { quote } = await sent()
    at.app.clock.advance(10)
    await work()
    expect(dealsOf(quote)).toHaveLength(1)
    expect(await listed()).toMatchObject([{ quote_id: quote, stage: 'presentationscheduled', differs: false }])
  })
  it('is in its present state after the CRM was away: what came between is not sent', async () => {
    at.portal.trouble('down')
    const quote = await sentQuote(acme)
    await work()
    await buyer.post(`/quotes/${quote}/reject`, {})
    await work()
    at.portal.trouble(null)
    at.app.clock.advance(600)
    await work()
    expect(dealsOf(quote).map(({ properties }) => properties['dealstage'])).toEqual(['closedlost'])
  })
})

const changed = (deal: string, propertyValue: string) =>
  hubspotEvent('deal.propertyChange', deal, { propertyName: 'dealstage', propertyValue })

describe('a deal that salespeople', () => {
  it('moved stays there until the quote moves on, is shown to staff, and never moves the quote', async () => {
    const { quote, deal } = await sent()
    at.portal.store.edit('deals', deal, { dealstage: 'closedwon' })
    await sendEvents(at, [changed(deal, 'closedwon')])
    expect(await listed('&differs=true')).toMatchObject([
      {
        quote_id: quote,
        quote_status: 'sent',
        stage: 'presentationscheduled',
        crm_stage: 'closedwon',
        differs: true,
      },
    ])
    await sendEvents(at, [changed(deal, 'closedwon')])
    expect(stageOf(quote)).toBe('closedwon')
    await buyer.post(`/quotes/${quote}/accept`)
    await work()
    expect(stageOf(quote)).toBe('contractsent')
    expect(await listed('&differs=true')).toEqual([])
  })
  it('deleted is not made again, and goes on when it is restored', async () => {
    const { quote, deal } = await sent()
    at.portal.store.archive('deals', deal)
    await sendEvents(at, [hubspotEvent('deal.deletion', deal)])
    expect(await listed()).toMatchObject([{ crm_id: deal, removed_at: expect.any(String) }])
    await buyer.post(`/quotes/${quote}/accept`)
    await work()
    expect(dealsOf(quote)).toMatchObject([{ id: deal, isArchived: true }])
    at.portal.store.archive('deals', deal, false)
    await sendEvents(at, [hubspotEvent('deal.restore', deal)])
    expect(await listed()).toMatchObject([{ removed_at: null, crm_stage: 'contractsent' }])
  })
})

describe('GET /admin/crm/deals', () => {
  it('200 for administrators with the filters, 403 for others', async () => {
    const { quote } = await sent()
    expect(await listed('&company=entity_global')).toEqual([])
    expect(await listed('&company=entity_br&differs=false')).toMatchObject([
      { quote_id: quote, organization_name: 'Acme' },
    ])
    expect((await acme.owner.get('/admin/crm/deals')).status).toBe(403)
    expect((await at.administrator.get('/admin/crm/deals?differs=perhaps')).status).toBe(422)
  })
})
