// The mail about a payment of more than was due.
import { expect, it } from 'vitest'
import { mailsTo } from '#test/harness/mailbox.ts'
import { appOfFile } from '#test/harness/app.ts'
import { openInvoice } from '#test/scenes/paid-invoices.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const SURPLUS = /credit balance/
const mails = async () =>
  (await mailsTo(app, acme.owner.email)).filter(({ subject }) => SURPLUS.test(subject)).toReversed()
const pay = async (id: number, amount: string) => {
  const answer = await acme.staff.post(`/invoices/${id}/pay`, { amount })
  expect(answer.status, answer.raw.body).toBe(200)
}

it('says what was paid, what was too much of it, and the balance after it; none of a payment of what is due', async () => {
  const [one, other, exact] = [await openInvoice(app, acme), await openInvoice(app, acme), await openInvoice(app, acme)]
  await pay(exact, '150.00')
  await pay(one, '160.00')
  await pay(other, '170.50')
  const found = await mails()
  expect(found.map(({ subject }) => subject)).toEqual([
    'R$10.00 added to your credit balance',
    'R$20.50 added to your credit balance',
  ])
  const { number } = (await acme.staff.get(`/invoices/${other}`)).data
  for (const words of ['R$170.50', 'R$20.50', 'R$30.50', number]) expect(found[1]?.text).toContain(words)
})

it('is of all that is paid in advance', async () => {
  const body = { company: 'entity_br', currency: 'BRL', amount: '100.00' }
  expect((await acme.staff.post('/payments', body)).status).toBe(201)
  const newest = (await mails()).at(-1)
  expect(newest?.subject).toBe('R$100.00 added to your credit balance')
  expect(newest?.text).toContain('in advance')
  expect(newest?.text).toContain('R$130.50')
})
