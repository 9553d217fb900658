// A payment that was recorded on the wrong invoice of the organization: what becomes of both, and what is refused.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Answer } from '#test/harness/world.ts'
import { acceptedQuote, buyerOf, eventually } from '#test/scenes/commerce.ts'

const app = await appOfFile({ environment: { ENTITY_BR_PAYMENTS: 'offline' } })
const acme = await app.world.organization({ name: 'Zoë “Z” 🙂' })
const buyer = await buyerOf(acme)
const drain = () => app.service.worker.drain()

const ACCOUNT = { company: 'entity_br', currency: 'BRL' }
const invoiceOf = async (id: number) => (await buyer.get(`/invoices/${id}`)).data
const paymentsOf = async (id: number) => (await buyer.get(`/invoices/${id}/payments`)).data
const balance = async () => {
  const { data } = await buyer.get('/credit-balances')
  return data.find(({ currency }: { currency: string }) => currency === 'BRL')?.amount ?? '0.00'
}
const fieldsOf = ({ status, errors }: Answer) => [status, Object.keys(errors?.fields ?? {})]
const reasonOf = ({ status, errors }: Answer) => [status, errors?.reason]

async function written(body: object = {}): Promise<number> {
  const answer = await acme.staff.post('/invoices', { ...ACCOUNT, total: '150.00', status: 'open', ...body })
  expect(answer.status, answer.raw.body).toBe(201)
  await drain()
  return answer.data.id
}

/** Gives the payment. */
async function paid(id: number, body: object = {}): Promise<number> {
  const answer = await acme.staff.post(`/invoices/${id}/pay`, body)
  expect(answer.status, answer.raw.body).toBe(200)
  return (await paymentsOf(id))[0].id
}

const move = (payment: number, invoice_id: number, more: object = {}) =>
  acme.staff.post(`/payments/${payment}/move`, { invoice_id, ...more })

async function moved(payment: number, invoice: number): Promise<Answer['data']> {
  const answer = await move(payment, invoice)
  expect(answer.status, answer.raw.body).toBe(200)
  await drain()
  return answer.data
}

describe('POST /payments/{id}/move within the organization', () => {
  it('200: the wrong invoice is open again, the right one is paid, as of the day of the payment', async () => {
    const [wrong, right] = [
      await written({ number: 'OLD-1', issue_date: '2026-01-10', due_date: '2026-01-31' }),
      await written({ number: 'OLD-2', issue_date: '2026-01-05', due_date: '2026-02-15' }),
    ]
    const paid_at = '2026-01-20T15:00:00.000Z'
    const id = await paid(wrong, { payment_method: 'ted', paid_at })
    const at = app.clock.now.toISOString()
    const answer = await moved(id, right)
    expect(answer).toMatchObject({ id, invoice_id: wrong, amount: '150.00', moved_at: at, moved_from_id: null })
    const owed = { status: 'open', amount_paid: '0.00', amount_due: '150.00', payment_status: 'unpaid' }
    const nothing = { paid_at: null, payment_date: null, payment_method: null }
    expect(await invoiceOf(wrong)).toMatchObject({ ...owed, ...nothing, reopened_at: at, due_date: '2026-01-31' })
    const settled = {
      status: 'paid',
      amount_paid: '150.00',
      paid_at,
      payment_date: '2026-01-20',
      payment_method: 'ted',
    }
    expect(await invoiceOf(right)).toMatchObject(settled)
    expect(await paymentsOf(wrong)).toMatchObject([{ id, moved_at: at }])
    const [there] = await paymentsOf(right)
    const anew = { id: answer.moved_to_id, moved_from_id: id, moved_at: null, source: 'by_hand', paid_at }
    expect(there).toMatchObject({ ...anew, recorded_by: acme.staff.userId })
    const { lines } = (await buyer.get('/account-statement?company=entity_br&currency=BRL')).data
    const ofPayments = lines.filter(({ kind }: { kind: string }) => kind === 'payment')
    expect(ofPayments).toMatchObject([{ date: '2026-01-20', id: there.id, amount: '-150.00' }])
    // Back again.
    const back = await moved(there.id, wrong)
    expect(await invoiceOf(wrong)).toMatchObject({ ...settled, reopened_at: at })
    expect(await invoiceOf(right)).toMatchObject(owed)
    expect((await buyer.get(`/payments/${back.moved_to_id}`)).data).toMatchObject({ moved_from_id: there.id })
  })
  it('200 is in the history, the audit log with the reason, and the feed', async () => {
    const [wrong, right] = [await written(), await written()]
    const id = await paid(wrong)
    expect((await move(id, right, { reason: 'It names the other number' })).status).toBe(200)
    const history = (await buyer.get(`/invoices/${wrong}/history`)).data
    expect(history).toContainEqual(expect.objectContaining({ from_status: 'paid', to_status: 'open' }))
    const entries = (await acme.owner.get(`/audit-log?resource=payment&resource_id=${id}`)).data
    expect(entries[0]).toMatchObject({ action: 'moved', reason: 'It names the other number' })
    const { events } = (await acme.owner.get('/events?type=payment.moved,invoice.reopened&per_page=100')).data
    const found = events.slice(-2).map(({ type, data }: Answer['data']) => [type, data.id])
    expect(found.toSorted()).toEqual([
      ['invoice.reopened', wrong],
      ['payment.moved', id],
    ])
  })
  it('200 of a part leaves both open; of one in advance, the balance is what it paid', async () => {
    const [wrong, right] = [await written(), await written()]
    const part = await paid(wrong, { amount: '60.00' })
    await moved(part, right)
    expect(await invoiceOf(wrong)).toMatchObject({ status: 'open', amount_due: '150.00', reopened_at: null })
    expect(await invoiceOf(right)).toMatchObject({ status: 'open', amount_due: '90.00' })
    const advance = (await acme.staff.post('/payments', { ...ACCOUNT, amount: '40.00' })).data.id
    expect(await balance()).toBe('40.00')
    await moved(advance, right)
    expect(await balance()).toBe('0.00')
    expect(await invoiceOf(right)).toMatchObject({ amount_due: '50.00' })
  })
  it('200 with its surplus, which goes along; 409 once it was used', async () => {
    const [wrong, right, next] = [await written(), await written({ total: '20.00' }), await written({ total: '30.00' })]
    const id = await paid(wrong, { amount: '200.00' })
    expect(await balance()).toBe('50.00')
    await moved(id, right)
    // What the wrong invoice owes again the balance covers.
    expect(await balance()).toBe('30.00')
    const [held] = (await buyer.get('/credit-balances')).data
    const kinds = (await buyer.get(`/credit-balances/${held.id}/entries`)).data.slice(0, 3)
    expect(kinds.map(({ kind, amount }: Answer['data']) => [kind, amount])).toEqual([
      ['applied', '-150.00'],
      ['overpaid', '180.00'],
      ['moved', '-50.00'],
    ])
    const [there] = await paymentsOf(right)
    const refused = await move(there.id, next)
    expect(reasonOf(refused)).toEqual([409, 'balance_too_low'])
    expect(refused.message).toContain('180.00 BRL went to the credit balance, which has 30.00 left')
    expect((await buyer.get(`/payments/${there.id}`)).data.moved_at).toBeNull()
    const withdrawal = { ...ACCOUNT, kind: 'withdrawn', amount: '30.00', reason: 'x' }
    await acme.staff.post('/credit-balances', withdrawal)
  })
  it('200 from and to a void invoice', async () => {
    const [wrong, right] = [await written(), await written()]
    const id = await paid(wrong, { amount: '10.00' })
    await acme.staff.post(`/invoices/${wrong}/void`)
    const { moved_to_id } = await moved(id, right)
    expect(await invoiceOf(wrong)).toMatchObject({ status: 'void', amount_paid: '0.00' })
    await moved(moved_to_id, wrong)
    expect(await invoiceOf(wrong)).toMatchObject({ status: 'void', amount_paid: '0.00' })
    expect(await balance()).toBe('10.00')
    await acme.staff.post('/credit-balances', { ...ACCOUNT, kind: 'withdrawn', amount: '10.00', reason: 'x' })
  })
  it('409 again, refunded, over-credited, not by hand, to a draft; 422 for what does not fit; 404, 403', async () => {
    const [wrong, right] = [await written(), await written()]
    const id = await paid(wrong)
    expect(fieldsOf(await move(id, wrong))).toEqual([422, ['invoice_id']])
    expect(fieldsOf(await move(id, await written({ currency: 'USD' })))).toEqual([422, ['invoice_id']])
    const global = await written({ company: 'entity_global' })
    expect(fieldsOf(await move(id, global))).toEqual([422, ['invoice_id']])
    const early = await paid(await written({ number: 'E-1', issue_date: '2026-01-10', due_date: '2026-01-31' }), {
      paid_at: '2026-02-27T12:00:00Z',
    })
    const after = await written({ number: 'E-2', issue_date: '2026-02-28', due_date: '2026-02-28' })
    expect(fieldsOf(await move(early, after))).toEqual([422, ['invoice_id']])
    const later = await written({ number: 'L-1', issue_date: '2999-01-01', due_date: '2999-01-31' })
    expect((await move(id, later)).status).toBe(200)
    const draft = await written({ status: 'draft' })
    const [there] = await paymentsOf(later)
    expect(reasonOf(await move(there.id, draft))).toEqual([409, 'status_not_allowed'])
    expect(reasonOf(await move(id, right))).toEqual([409, 'payment_moved'])
    expect((await move(there.id, 999_999_999)).status).toBe(404)
    expect((await buyer.post(`/payments/${there.id}/move`, { invoice_id: right })).status).toBe(403)
    expect((await (await acme.staffAs('support')).post(`/payments/${there.id}/move`, { invoice_id: 1 })).status).toBe(
      403,
    )
    const other = await app.world.organization()
    expect((await other.staff.post(`/payments/${there.id}/move`, { invoice_id: right })).status).toBe(404)
    for (const body of [{}, { invoice_id: 'x' }, { invoice_id: right, reason: ' ' }, { invoice_id: right, x: 1 }])
      expect((await acme.staff.post(`/payments/${there.id}/move`, body)).status).toBe(422)
    const refund = (await acme.staff.post(`/invoices/${later}/refund`, { amount: '1.00' })).data.refund_id
    expect(reasonOf(await move(there.id, right))).toEqual([409, 'refunded_otherwise'])
    expect(refund).toBeGreaterThan(0)
    await acme.staff.post('/payments', { ...ACCOUNT, amount: '10.00' })
    await acme.staff.post(`/invoices/${right}/apply-credit-balance`, {})
    expect(reasonOf(await move((await paymentsOf(right))[0].id, wrong))).toEqual([409, 'payment_not_by_hand'])
    const credited = await written()
    const [first] = [await paid(credited, { amount: '60.00' }), await paid(credited)]
    await acme.staff.post(`/invoices/${credited}/credit-notes`, { reason: 'x', amount: '100.00' })
    expect(reasonOf(await move(first, right))).toEqual([409, 'nothing_owed'])
  })
  it('leaves a refund that had failed behind: 409 to settle it, and what was paid anew moves too', async () => {
    const [wrong, right] = [await written(), await written()]
    const id = await paid(wrong)
    const { refund_id } = (await acme.staff.post(`/invoices/${wrong}/refund`, {})).data
    const settle = (status: string) => acme.staff.post(`/refunds/${refund_id}/settle`, { status })
    expect((await settle('failed')).status).toBe(200)
    await moved(id, right)
    const anew = await paid(wrong)
    expect(reasonOf(await settle('succeeded'))).toEqual([409, 'refunded_otherwise'])
    await moved(anew, await written())
    expect(await invoiceOf(wrong)).toMatchObject({ status: 'open', amount_paid: '0.00', amount_refunded: '0.00' })
    const advance = (await acme.staff.post('/payments', { ...ACCOUNT, amount: '10.00' })).data.id
    await acme.staff.post('/payments', { ...ACCOUNT, amount: '10.00' })
    const [held] = (await buyer.get('/credit-balances')).data
    const body = { payment_id: advance, amount: '10.00' }
    const ofBalance = await acme.staff.post(`/credit-balances/${held.id}/refund`, body)
    expect(ofBalance.status, ofBalance.raw.body).toBe(200)
    const path = `/refunds/${ofBalance.data.id}`
    expect((await acme.staff.post(`${path}/settle`, { status: 'failed' })).status).toBe(200)
    await moved(advance, right)
    expect(reasonOf(await acme.staff.post(`${path}/settle`))).toEqual([409, 'refunded_otherwise'])
    const left = { ...ACCOUNT, kind: 'withdrawn', amount: await balance(), reason: 'x' }
    await acme.staff.post('/credit-balances', left)
  })
  it('is once, and the sums stay, when it is moved, paid, refunded and voided at once', async () => {
    const [wrong, right, third] = [await written(), await written(), await written()]
    const id = await paid(wrong)
    const answers = await Promise.all([
      move(id, right),
      acme.staff.post(`/invoices/${wrong}/refund`, {}),
      move(id, third),
      acme.staff.post(`/invoices/${right}/pay`, { amount: '100.00' }),
      acme.staff.post(`/invoices/${third}/void`),
      move(id, right),
    ])
    const won = [answers[0], answers[1], answers[2], answers[5]].filter((answer) => answer?.status === 200)
    expect(won.length).toBe(1)
    await drain()
    const [counted] = await app.database.query<{ in: string; held: string }>(
      `select (select sum(amount) from payments where organization_id = $1 and moved_at is null
                  and invoice_id = any($2) and source = 'by_hand') as in,
              (select sum(amount_paid) from invoices where organization_id = $1 and id = any($2)) as held`,
      [acme.id, [wrong, right, third]],
    )
    expect(counted?.in).toBe('250.00')
  })
})

describe('the sale whose payment is moved away', () => {
  it('keeps what was delivered and the status of its order; paid again, it delivers nothing twice', async () => {
    const { invoice_id, order_id, quote_id } = await acceptedQuote(app, acme, buyer)
    const id = await paid(invoice_id)
    await eventually(
      app,
      async () => (await buyer.get(`/quotes/${quote_id}`)).data,
      ({ status }) => status === 'fulfilled',
    )
    const held = async () =>
      (await buyer.get('/entitlements?per_page=100')).data.filter((one: Answer['data']) => one.order_id === order_id)
    const before = await held()
    await moved(id, await written())
    expect((await buyer.get(`/orders/${order_id}`)).data.status).toBe('completed')
    expect((await held()).map(({ status }: Answer['data']) => status)).toEqual(before.map(() => 'active'))
    await paid(invoice_id)
    await drain()
    expect((await held()).length).toBe(before.length)
    expect(await invoiceOf(invoice_id)).toMatchObject({ status: 'paid', amount_paid: '150.00' })
  })
})
