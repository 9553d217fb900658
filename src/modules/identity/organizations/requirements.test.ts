// What `verification_requires` and `requires_invoice_for_payment` of an organization demand.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { affiliateIn, earned } from '#test/scenes/affiliates.ts'
import { acceptedQuote, buyerOf, sentQuote } from '#test/scenes/commerce.ts'

const app = await appOfFile({ listens: true })
const administrator = await app.world.user({ roles: ['customer', 'administrator'] })

async function demanding(settings: object): Promise<Organization & { buyer: Speaker }> {
  const acme = await app.world.organization()
  expect((await acme.staff.put(`/organizations/${acme.id}`, settings)).status).toBe(200)
  return { ...acme, buyer: await buyerOf(acme) }
}
const codes = () => app.database.query('select prefix, last from code_counters order by 1')
const decide = ({ id }: Organization, decision: string) => administrator.post(`/admin/organizations/${id}/${decision}`)

describe('verification_requires', () => {
  const FIRST = 'The organization has to be verified first'

  it('409 for accepting a quote, by staff too, until the organization is verified; the preview says why', async () => {
    const acme = await demanding({ verification_requires: true })
    const id = await sentQuote(acme)
    const before = await codes()
    for (const who of [acme.buyer, acme.staff])
      expect(await who.post(`/quotes/${id}/accept`)).toMatchObject({ status: 409, message: FIRST })
    expect(await codes()).toEqual(before)
    const preview = async () => (await acme.buyer.post(`/quotes/${id}/preview`)).data
    expect(await preview()).toMatchObject({ can_accept: false, reason: FIRST })
    await decide(acme, 'verify')
    expect(await preview()).toMatchObject({ can_accept: true, reason: null })
    expect((await acme.buyer.post(`/quotes/${id}/accept`)).status).toBe(200)
  })
  it('409 again after a rejection, and after a change of who the organization is', async () => {
    const acme = await demanding({ verification_requires: true })
    await decide(acme, 'verify')
    const id = await sentQuote(acme)
    await decide(acme, 'reject')
    expect((await acme.buyer.post(`/quotes/${id}/accept`)).status).toBe(409)
    await decide(acme, 'verify')
    await acme.owner.put(`/organizations/${acme.id}`, { legal_name: 'Somebody Else Ltda.' })
    expect((await acme.buyer.post(`/quotes/${id}/accept`)).status).toBe(409)
  })
  it('409 for the payout of an affiliate’s balance', async () => {
    const acme = await demanding({ verification_requires: true })
    const affiliate = await affiliateIn(acme)
    await earned(app, affiliate, '10.00')
    const request = () => acme.owner.post(`/affiliates/${affiliate.id}/payouts`, {})
    expect(await request()).toMatchObject({ status: 409, message: FIRST })
    await decide(acme, 'verify')
    expect((await request()).status).toBe(201)
  })
  it('demands nothing of an organization without it', async () => {
    const acme = await demanding({ verification_requires: false })
    expect((await acme.buyer.post(`/quotes/${await sentQuote(acme)}/accept`)).status).toBe(200)
  })
})

describe('requires_invoice_for_payment', () => {
  const SUBJECT = /BR-\d{6}: R\$/

  it('409 for a subscription, which would be charged before there is an invoice', async () => {
    const acme = await demanding({ requires_invoice_for_payment: true })
    const { order_id } = await acceptedQuote(app, acme, acme.buyer)
    const subscribe = () => acme.staff.post(`/orders/${order_id}/subscription`, { interval: 'month' })
    expect((await subscribe()).status).toBe(409)
    await acme.staff.put(`/organizations/${acme.id}`, { requires_invoice_for_payment: false })
    expect((await subscribe()).status).toBe(201)
  })
  it('mails the invoice of a quote to whoever pays, once', async () => {
    const acme = await demanding({ requires_invoice_for_payment: true })
    const [payer, other] = [await acme.member({ scopes: ['finances'] }), await acme.member({ scopes: ['quotes'] })]
    await acceptedQuote(app, acme, acme.buyer)
    const subjectsTo = async ({ email }: Speaker) =>
      (await mailsTo(app, email)).map(({ subject }) => subject).filter((subject) => SUBJECT.test(subject))
    expect(await subjectsTo(payer)).toHaveLength(1)
    expect(await subjectsTo(other)).toEqual([])
    const usual = await demanding({ requires_invoice_for_payment: false })
    await acceptedQuote(app, usual, usual.buyer)
    expect(await subjectsTo(usual.buyer)).toEqual([])
  })
  it('announces no invoice twice that staff wrote', async () => {
    const acme = await demanding({ requires_invoice_for_payment: true })
    const payer = await acme.member({ scopes: ['finances'] })
    await acme.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', total: 100_00, status: 'open' })
    const mails = await mailsTo(app, payer.email)
    expect(mails.filter(({ subject }) => SUBJECT.test(subject))).toHaveLength(1)
  })
})
