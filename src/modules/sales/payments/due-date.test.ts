// Another due date of an invoice with a checkout at Stripe.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addDays } from '#kernel/values/time/calendar.ts'
import { until } from '#test/harness/until.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { bought, sendEvent, type StripeScene, stripeScene } from '#test/scenes/stripe.ts'

let at: StripeScene
beforeAll(async () => void (at = await stripeScene()))
afterAll(() => at.close())

const invoice = async (id: number) => (await at.buyer.get(`/invoices/${id}`)).data
const drain = () => at.app.service.worker.drain()
async function setTo(id: number, due_date: string): Promise<void> {
  const answer = await at.acme.staff.put(`/invoices/${id}/due-date`, { due_date, reason: 'Payment plan' })
  expect([answer.status, answer.data.link], answer.raw.body).toEqual([200, null])
}
/** The days of the invoices that were made there since. */
const daysAsked = (since: number) =>
  at.stripe.asked
    .slice(since)
    .filter(({ method, path }) => method === 'POST' && path === '/v1/invoices')
    .map(({ form }) => form['days_until_due'])

it('is that of a new checkout, also the second time; the old ones are void', async () => {
  const { invoice_id: id } = await bought(at)
  const first = await invoice(id)
  const references = [first.payment_invoice_id]
  const since = at.stripe.asked.length
  for (const days of [30, 8, 30]) {
    at.app.clock.advance(60)
    await setTo(id, addDays(first.issue_date, days))
    await drain()
    references.push((await invoice(id)).payment_invoice_id)
  }
  expect(daysAsked(since)).toEqual(['30', '8', '30'])
  expect(new Set(references).size).toBe(4)
  const open = references.at(-1)
  for (const reference of references)
    expect(at.stripe.invoices.get(reference)?.status).toBe(reference === open ? 'open' : 'void')
  await sendEvent(at, 'invoice.paid', at.stripe.pay(open))
  expect(await invoice(id)).toMatchObject({ status: 'paid', due_date: addDays(first.issue_date, 30) })
})

it('replaces a checkout that was being opened for the former date', async () => {
  const quote = await sentQuote(at.acme)
  await at.buyer.post(`/quotes/${quote}/accept`)
  const { invoice_id: id } = (await at.buyer.get(`/quotes/${quote}/payment`)).data
  const { issue_date } = await invoice(id)
  const since = at.stripe.asked.length
  at.stripe.getIntoTrouble('late')
  const working = drain()
  await until(() => at.stripe.asked.length > since)
  await setTo(id, addDays(issue_date, 20))
  at.stripe.letGo()
  await working
  await drain()
  expect(daysAsked(since)).toEqual(['7', '20'])
  const { payment_invoice_id, link } = await invoice(id)
  expect(link).toMatch(/^http/)
  expect(at.stripe.invoices.get(payment_invoice_id)?.status).toBe('open')
})
