// Payments as records: in part, too much, in advance, and from the credit balance.
import { describe, expect, it } from 'vitest'
import { addDays, dayIn, startOfDay } from '#kernel/values/time/calendar.ts'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'
import { acceptedQuote, buyerOf, eventually, withdrawnCredit } from '#test/scenes/commerce.ts'

const app = await appOfFile({ environment: { ENTITY_BR_PAYMENTS: 'offline' } })
const acme = await app.world.organization()
const buyer = await buyerOf(acme)

const invoiceOf = async (id: number) => (await buyer.get(`/invoices/${id}`)).data
const paymentsOf = async (id: number) => (await buyer.get(`/invoices/${id}/payments`)).data
const pay = (id: number, body: object): Promise<Answer> => acme.staff.post(`/invoices/${id}/pay`, body)
const fieldsOf = ({ status, errors }: Answer) => [status, Object.keys(errors?.fields ?? {})]

async function written(body: object = {}): Promise<number> {
  const invoice = { currency: 'BRL', company: 'entity_br', total: '150.00', status: 'open' }
  const { data } = await acme.staff.post('/invoices', { ...invoice, ...body })
  await app.service.worker.drain()
  return data.id
}

const balanceOf = async (currency = 'BRL') => {
  const { data } = await buyer.get('/credit-balances')
  return data.find((one: { currency: string }) => one.currency === currency)
}

const MOST = '9999999999999.99'

describe('POST /payments', () => {
  it('422 for more than a balance can be; 409 for an overpayment of as much: the balance stays of use', async () => {
    const other = await app.world.organization()
    const at = { company: 'entity_br', currency: 'BRL' }
    const inAdvance = (amount: string) => other.staff.post('/payments', { ...at, amount })
    expect((await inAdvance(MOST)).status).toBe(201)
    expect(fieldsOf(await inAdvance('0.01'))).toEqual([422, ['amount']])
    const { data } = await other.staff.post('/invoices', { ...at, total: '1.00', status: 'open' })
    expect((await other.staff.post(`/invoices/${data.id}/pay`, { amount: '1.01' })).status).toBe(409)
    const withdrawal = { ...at, kind: 'withdrawn', amount: MOST, reason: 'Typed wrongly' }
    expect((await other.staff.post('/credit-balances', withdrawal)).data).toMatchObject({ amount: '0.00' })
  })
})

describe('POST /invoices/{id}/pay with an amount', () => {
  it('200 for a part: the rest stays due; order and quote follow the last part', async () => {
    const { invoice_id: id, order_id, quote_id } = await acceptedQuote(app, acme, buyer)
    const today = dayIn(app.clock.now, 'America/Sao_Paulo')
    const paid_at = startOfDay(today, 'America/Sao_Paulo').toISOString()
    const { data } = await pay(id, { amount: '0.01', payment_method: 'pix', paid_at })
    expect(data).toMatchObject({ status: 'open', amount_paid: '0.01', amount_due: '149.99', paid_at: null })
    await pay(id, { amount: '49.99' })
    expect((await buyer.get(`/orders/${order_id}`)).data.status).toBe('pending')
    expect((await pay(id, {})).data).toMatchObject({ status: 'paid', amount_paid: '150.00', amount_due: '0.00' })
    const look = async () => (await buyer.get(`/quotes/${quote_id}`)).data
    await eventually(app, look, ({ status }) => status === 'fulfilled')
    const amounts = (await paymentsOf(id)).map(({ amount, surplus }: { [name: string]: string }) => [amount, surplus])
    expect(amounts).toEqual([
      ['100.00', '0.00'],
      ['49.99', '0.00'],
      ['0.01', '0.00'],
    ])
    const first = (await paymentsOf(id)).at(-1)
    const expected = { source: 'by_hand', payment_method: 'pix', paid_at, payment_date: today }
    expect((await buyer.get(`/payments/${first.id}`)).data).toMatchObject({
      ...expected,
      recorded_by: acme.staff.userId,
    })
    const within = async (range: string) => (await buyer.get(`/payments?per_page=100&${range}`)).data
    expect(await within(`date_from=${today}&date_to=${today}`)).toContainEqual(first)
    expect(await within(`date_to=${addDays(today, -1)}`)).not.toContainEqual(first)
    expect(await within(`date_from=${addDays(today, 1)}`)).not.toContainEqual(first)
  })
  it('200 for two at once: what is more than due goes to the credit balance', async () => {
    const id = await written()
    const answers = await Promise.all(['100.00', '100.00', '100.00'].map((amount) => pay(id, { amount })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', amount_paid: '150.00' })
    expect(await withdrawnCredit(acme)).toBe('150.00')
  })
  it('200 for an invoice that is paid or void: all of it goes to the credit balance; 409 without an amount', async () => {
    const id = await written()
    await acme.staff.post(`/invoices/${id}/void`)
    expect((await pay(id, {})).status).toBe(409)
    expect((await pay(id, { amount: '150.00' })).data).toMatchObject({ status: 'void', amount_paid: '0.00' })
    expect(await withdrawnCredit(acme)).toBe('150.00')
  })
  it('422 for an amount that is none; 409 for a draft; 404 for another organization’s', async () => {
    const id = await written()
    for (const amount of ['0', '-1.00', '1.001', 'x'])
      expect(fieldsOf(await pay(id, { amount }))).toEqual([422, ['amount']])
    expect(await paymentsOf(id)).toEqual([])
    expect((await pay(await written({ status: 'draft' }), { amount: '1.00' })).status).toBe(409)
    const other = await app.world.organization()
    expect((await other.staff.post(`/invoices/${id}/pay`, { amount: '1.00' })).status).toBe(404)
    expect((await other.owner.get(`/invoices/${id}/payments`)).status).toBe(404)
  })
})

describe('POST /payments', () => {
  it('201 in advance: it pays the next invoice that it covers, and no other', async () => {
    const body = { company: 'entity_br', currency: 'BRL', amount: '200.00', payment_method: 'pix' }
    const { status, data } = await acme.staff.post('/payments', body)
    expect([status, data]).toMatchObject([201, { invoice_id: null, amount: '200.00', surplus: '200.00' }])
    const larger = await written({ total: '200.01' })
    expect(await invoiceOf(larger)).toMatchObject({ status: 'open', amount_paid: '0.00' })
    const usd = await written({ currency: 'USD' })
    expect((await invoiceOf(usd)).status).toBe('open')
    const covered = await written()
    expect(await invoiceOf(covered)).toMatchObject({ status: 'paid', payment_method: 'credit_balance' })
    const [payment] = await paymentsOf(covered)
    expect(payment).toMatchObject({ source: 'credit_balance', amount: '150.00', surplus: '0.00' })
    const { id, amount } = await balanceOf()
    expect(amount).toBe('50.00')
    const [applied, overpaid] = (await buyer.get(`/credit-balances/${id}/entries`)).data
    expect(applied).toMatchObject({ kind: 'applied', amount: '-150.00', balance: '50.00', invoice_id: covered })
    expect(overpaid).toMatchObject({ kind: 'overpaid', amount: '200.00', balance: '200.00', payment_id: data.id })
    expect(await withdrawnCredit(acme)).toBe('50.00')
  })
  it('422 for another currency, amount or a day to come; 403 for customers', async () => {
    const body = { company: 'entity_br', currency: 'BRL', amount: '1.00' }
    const send = (change: object) => acme.staff.post('/payments', { ...body, ...change })
    expect(fieldsOf(await send({ currency: 'ZZZ' }))).toEqual([422, ['currency']])
    expect(fieldsOf(await send({ amount: '0.00' }))).toEqual([422, ['amount']])
    expect(fieldsOf(await send({ paid_at: '2999-01-01T00:00:00Z' }))).toEqual([422, ['paid_at']])
    expect((await buyer.post('/payments', body)).status).toBe(403)
  })
})

describe('POST /invoices/{id}/apply-credit-balance', () => {
  it('200 for a part by the customer, then for all that is due, at once twice', async () => {
    const id = await written()
    const apply = (body: object) => buyer.post(`/invoices/${id}/apply-credit-balance`, body)
    expect((await apply({})).status).toBe(409)
    await acme.staff.post('/payments', { company: 'entity_br', currency: 'BRL', amount: '200.00' })
    for (const amount of ['0', '150.01']) expect(fieldsOf(await apply({ amount }))).toEqual([422, ['amount']])
    expect((await apply({ amount: '50.00' })).data).toMatchObject({ status: 'open', amount_due: '100.00' })
    const answers = await Promise.all([apply({}), apply({})])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]))
    expect(await invoiceOf(id)).toMatchObject({ status: 'paid', amount_paid: '150.00' })
    expect(await withdrawnCredit(acme)).toBe('50.00')
  })
})

describe('POST /credit-balances', () => {
  it('200 to add and withdraw, never below zero; 403 for customers', async () => {
    const body = { company: 'entity_global', currency: 'KWD', reason: 'Goodwill', amount: '10.005' }
    const change = (more: object, who: Speaker = acme.staff) => who.post('/credit-balances', { ...body, ...more })
    expect((await change({ kind: 'added' })).data).toMatchObject({ company: 'entity_global', amount: '10.005' })
    expect(fieldsOf(await change({ kind: 'withdrawn', amount: '10.006' }))).toEqual([422, ['amount']])
    const answers = await Promise.all([1, 2].map(() => change({ kind: 'withdrawn' })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 422]))
    expect(fieldsOf(await change({ kind: 'added', currency: 'ZZZ' }))).toEqual([422, ['currency']])
    expect((await change({ kind: 'added' }, buyer)).status).toBe(403)
    const { id, amount } = await balanceOf('KWD')
    expect(amount).toBe('0.000')
    const { data } = await buyer.get(`/credit-balances/${id}/entries`)
    expect(data.map(({ kind, reason }: { [name: string]: string }) => [kind, reason])).toEqual([
      ['withdrawn', 'Goodwill'],
      ['added', 'Goodwill'],
    ])
    const other = await app.world.organization()
    expect((await other.owner.get(`/credit-balances/${id}`)).status).toBe(404)
    expect((await other.owner.get(`/credit-balances/${id}/entries`)).status).toBe(404)
  })
})
