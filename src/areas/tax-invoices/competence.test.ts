// The day of competence is that of the payment on the legal entity's clock, to the second and over the turn of the year.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openInvoice, payInvoice } from '#test/scenes/paid-invoices.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'

let scene: TaxScene
beforeAll(async () => (scene = await taxScene()))
afterAll(() => scene.app.close())

it.each([
  ['2026-01-01T02:59:59.999Z', '2025-12-31'],
  ['2026-01-01T03:00:00.000Z', '2026-01-01'],
  ['2025-12-31T23:30:00.000-03:00', '2025-12-31'],
  ['2024-03-01T02:00:00.000Z', '2024-02-29'],
])('paid at %s: %s', async (paidAt, competence) => {
  const invoice = await openInvoice(scene.app, scene.acme)
  await payInvoice(scene.acme, invoice, new Date(paidAt).toISOString())
  await scene.work()
  expect(scene.authority.declared.at(-1)?.competence).toBe(competence)
  const { data } = await scene.clerk.get('/tax-invoices')
  expect((await scene.get(data[0].id)).competence).toBe(competence)
  // Nothing that is decided later moves the day.
  const cancelled = { reason_code: '9', reason: 'It was decided so' }
  await scene.acme.staff.post(`/tax-invoices/${data[0].id}/cancel`, cancelled)
  await scene.work()
  expect((await scene.acme.staff.post('/tax-invoices', { invoice_id: invoice })).data.competence).toBe(competence)
  await scene.work()
})
