// The competence is the day of the payment in the legal entity's time zone, to the second and across the end of a year.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openInvoice, payInvoice } from '#test/scenes/paid-invoices.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'

let scene: TaxScene
beforeAll(async () => (scene = await taxScene()))
afterAll(() => scene.app.close())

it('is never before the sale, whenever the payment provider says that it was paid', async () => {
  const invoice = await openInvoice(scene.app, scene.acme)
  await payInvoice(scene.acme, invoice, '2024-02-09T12:00:00.000Z')
  await scene.app.database.query(`update invoices set issue_date = '2024-02-10' where id = $1`, [invoice])
  await scene.work()
  expect(scene.authority.declared.at(-1)?.competence).toBe('2024-02-10')
})

it.each([
  ['2026-01-01T02:59:59.999Z', '2025-12-31'],
  ['2026-01-01T03:00:00.000Z', '2026-01-01'],
  ['2025-12-31T23:30:00.000-03:00', '2025-12-31'],
  ['2024-03-01T02:00:00.000Z', '2024-02-29'],
])('an invoice paid at %s has the competence %s', async (paidAt, competence) => {
  const invoice = await openInvoice(scene.app, scene.acme)
  await payInvoice(scene.acme, invoice, new Date(paidAt).toISOString())
  await scene.work()
  expect(scene.authority.declared.at(-1)?.competence).toBe(competence)
  const { data } = await scene.clerk.get('/tax-invoices')
  expect((await scene.get(data[0].id)).competence).toBe(competence)
  // Later changes do not move the day.
  const cancelled = { reason_code: '9', reason: 'It was decided so' }
  await scene.acme.staff.post(`/tax-invoices/${data[0].id}/cancel`, cancelled)
  await scene.work()
  expect((await scene.acme.staff.post('/tax-invoices', { invoice_id: invoice })).data.competence).toBe(competence)
  await scene.work()
})
