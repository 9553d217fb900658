// The statement of an affiliate's account: reversals after a payout, renewals, the list and the PDF.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { textOn } from '#test/harness/pdf-text.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'
import { affiliateIn, earned, runEarnings } from '#test/scenes/affiliates.ts'
import { acceptedQuote, buyerOf, eventually, LICENSE_LINE } from '#test/scenes/commerce.ts'

let app: TestApp
let acme: Organization
let buyer: Speaker
let partner: Organization

beforeAll(async () => {
  const entity = { ENTITY_BR_NAME: 'Vendedora Ltda.', ENTITY_BR_TAX_ID: '11.222.333/0001-81' }
  app = await startApp({ environment: { COMMISSION_DAYS: '0', REFUNDS: 'approve', ...entity } })
  acme = await app.world.organization()
  buyer = await buyerOf(acme)
  partner = await app.world.organization({ name: 'Indicações & Cia' })
})
afterAll(() => app.close())

const account = async ({ id }: { id: number }) => (await partner.owner.get(`/affiliates/${id}`)).data
const statement = async ({ id }: { id: number }, query = '') =>
  (await partner.owner.get(`/affiliates/${id}/statement${query}`)).data
const lines = (entries: Answer['data'][]) => entries.map(({ kind, amount, balance }) => [kind, amount, balance])

async function paidOut({ id }: { id: number }, amount?: string): Promise<number> {
  const at = `/affiliates/${id}/payouts`
  const { data } = await partner.owner.post(at, amount === undefined ? {} : { amount })
  await partner.staff.post(`${at}/${data.id}/approve`)
  expect((await partner.staff.post(`${at}/${data.id}/pay`, { reference: `PIX-${data.id}` })).status).toBe(200)
  return data.id
}

/** For the entries so far; the clock stays, since tokens last a day. */
const aDayPasses = ({ id }: { id: number }) =>
  app.database.query('update affiliate_entries set date = date - 1 where affiliate_id = $1', [id])

async function bought(affiliate_code: string): Promise<number> {
  const payment = await acceptedQuote(app, acme, buyer, { affiliate_code, line_items: [LICENSE_LINE] })
  await acme.staff.post(`/invoices/${payment.invoice_id}/pay`, {})
  const look = async () => (await buyer.get(`/orders/${payment.order_id}`)).data
  await eventually(app, look, ({ status }) => status === 'completed')
  await runEarnings(app)
  return payment.order_id
}

async function giveBack(orderId: number, body: object = {}): Promise<void> {
  const { data } = await buyer.post(`/orders/${orderId}/refund`, body)
  await acme.staff.post(`/refunds/${data.refund_id}/approve`)
  await acme.staff.post(`/refunds/${data.refund_id}/settle`)
  await app.service.worker.drain()
}

describe('a refund after the payout', () => {
  it('makes the balance negative; later commissions fill it before anything can be paid out', async () => {
    const affiliate = await affiliateIn(partner)
    const order = await bought(affiliate.code)
    await paidOut(affiliate)
    await giveBack(order, { amount: '50.00' })
    await giveBack(order)
    const negative = { earned: '18.75', reversed: '18.75', paid_out: '18.75', balance: '-18.75', available: '0.00' }
    expect(await account(affiliate)).toMatchObject(negative)
    const refused = await partner.owner.post(`/affiliates/${affiliate.id}/payouts`, {})
    expect(refused.errors?.fields).toEqual({ amount: 'must be at most 0.00, which is available' })
    await earned(app, affiliate, '20.00')
    expect(await account(affiliate)).toMatchObject({ balance: '1.25', available: '1.25' })
    await paidOut(affiliate)
    expect(lines(await statement(affiliate))).toEqual([
      ['earned', '18.75', '18.75'],
      ['paid_out', '-18.75', '0.00'],
      ['reversed', '-6.25', '-6.25'],
      ['reversed', '-12.50', '-18.75'],
      ['earned', '20.00', '1.25'],
      ['paid_out', '-1.25', '0.00'],
    ])
  })
  it('409 for a payout that the balance no longer covers, until it does again', async () => {
    const affiliate = await affiliateIn(partner)
    const order = await bought(affiliate.code)
    const at = `/affiliates/${affiliate.id}/payouts`
    const { id } = (await partner.owner.post(at, {})).data
    await partner.staff.post(`${at}/${id}/approve`)
    await giveBack(order)
    const pay = () => partner.staff.post(`${at}/${id}/pay`, { reference: 'PIX' })
    expect((await pay()).status).toBe(409)
    expect(await account(affiliate)).toMatchObject({ balance: '0.00', reserved: '18.75', available: '0.00' })
    expect((await partner.owner.get(`${at}/${id}`)).data.status).toBe('approved')
    await earned(app, affiliate, '18.75')
    expect((await pay()).status).toBe(200)
    expect(await account(affiliate)).toMatchObject({ balance: '0.00', paid_out: '18.75', available: '0.00' })
  })
})

it('a commission in another currency than the account’s has no part in its balance', async () => {
  const affiliate = await affiliateIn(partner, { currency: 'USD' })
  await bought(affiliate.code)
  const [referral] = (await partner.owner.get(`/affiliates/${affiliate.id}/referrals`)).data
  expect(referral).toMatchObject({ status: 'earned', currency: 'BRL', amount: '18.75' })
  expect(await account(affiliate)).toMatchObject({ earned: '0.00', balance: '0.00' })
  expect(await statement(affiliate)).toEqual([])
})

describe('GET /affiliates/{id}/statement', () => {
  it('200 with the entries of a period, oldest first, in pages', async () => {
    const affiliate = await affiliateIn(partner)
    for (const amount of ['1.00', '2.00', '3.00']) {
      await aDayPasses(affiliate)
      await earned(app, affiliate, amount)
    }
    const all = await statement(affiliate)
    expect(lines(all).map(([, , balance]) => balance)).toEqual(['1.00', '3.00', '6.00'])
    const days = all.map(({ date }: { date: string }) => date)
    expect(await statement(affiliate, `?date_from=${days[1]}&date_to=${days[1]}`)).toEqual([all[1]])
    expect(await statement(affiliate, '?page=2&per_page=2')).toEqual([all[2]])
    expect(await statement(affiliate, '?date_from=2999-01-01')).toEqual([])
    expect((await partner.owner.get(`/affiliates/${affiliate.id}/statement?date_from=1`)).status).toBe(422)
    const id = await paidOut(affiliate, '4.00')
    expect((await statement(affiliate)).at(-1)).toMatchObject({
      payout_id: id,
      reference: `PIX-${id}`,
      amount: '-4.00',
    })
  })
})

const printed = async ({ id }: { id: number }, language: string, query = '') => {
  const answer = await partner.owner.get(`/affiliates/${id}/statement/pdf${query}`, { 'accept-language': language })
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/pdf'])
  return textOn(answer.data).join('\n').replaceAll('\u00a0', ' ')
}

describe('GET /affiliates/{id}/statement/pdf', () => {
  it('422 for a period that ends before it begins: no closing is that of its end', async () => {
    const affiliate = await affiliateIn(partner)
    const query = '?date_from=2027-03-01&date_to=2027-02-28'
    const { status, errors } = await partner.owner.get(`/affiliates/${affiliate.id}/statement/pdf${query}`)
    expect([status, errors?.fields]).toEqual([422, { date_from: 'must not be after date_to' }])
    const stranger = await app.world.organization()
    expect((await stranger.owner.get(`/affiliates/${affiliate.id}/statement/pdf${query}`)).status).toBe(404)
  })
  it('200 in both languages, with the letterhead, the balance before, each entry and the sums', async () => {
    const affiliate = await affiliateIn(partner)
    await earned(app, affiliate, '1000.00')
    await aDayPasses(affiliate)
    const id = await paidOut(affiliate, '400.00')
    const [, paid] = await statement(affiliate)
    const english = await printed(affiliate, 'en')
    const wanted = [
      'Vendedora Ltda.',
      'Indicações & Cia',
      'Affiliate statement',
      affiliate.code,
      `Payout ${id}`,
      `PIX-${id}`,
    ]
    for (const text of [...wanted, 'R$1,000.00', '-R$400.00', 'R$600.00']) expect(english).toContain(text)
    const portuguese = await printed(affiliate, 'pt-BR', `?date_from=${paid.date}`)
    for (const text of ['Extrato do afiliado', 'Saldo anterior', 'R$ 1.000,00', `Pagamento ${id}`])
      expect(portuguese).toContain(text)
    expect(portuguese).not.toContain('Comissão da')
  })
  it('200 without entries; 422 for more than 1,000 of them', async () => {
    const affiliate = await affiliateIn(partner)
    expect(await printed(affiliate, 'en')).toContain('Nothing changed the balance')
    await earned(app, affiliate, '1.00')
    await app.database.query(
      `insert into affiliate_entries (organization_id, affiliate_id, kind, commission_id, currency, amount, balance, date)
       select organization_id, affiliate_id, 'reversed', commission_id, currency, -amount, 0 - balance, date
         from affiliate_entries, generate_series(1, 999) where affiliate_id = $1`,
      [affiliate.id],
    )
    expect(await printed(affiliate, 'en')).toContain('Page 1 of')
    await app.database.query(
      `insert into affiliate_entries (organization_id, affiliate_id, kind, commission_id, currency, amount, balance, date)
       select organization_id, affiliate_id, 'reversed', commission_id, currency, -1.00, 0.00, date
         from affiliate_entries where affiliate_id = $1 limit 1`,
      [affiliate.id],
    )
    const refused = await partner.owner.get(`/affiliates/${affiliate.id}/statement/pdf`)
    expect([refused.status, Object.keys(refused.errors?.fields ?? {})]).toEqual([422, ['date_from']])
  })
})
