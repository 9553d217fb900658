// What the answer to a refund offers about the issued tax invoices, and that a substitute declares the rest.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addDays } from '#kernel/values/time/calendar.ts'
import { buyerOf, sentQuote } from '#test/scenes/commerce.ts'
import { PROFILE } from '#test/stand-ins/tax-authority.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'
import type { Answer, Speaker } from '#test/harness/world.ts'

let scene: TaxScene
let buyer: Speaker
beforeAll(async () => {
  scene = await taxScene({ REFUNDS: 'approve' })
  buyer = await buyerOf(scene.acme)
})
beforeEach(() => scene.authority.reset())
afterAll(() => scene.app.close())

/** A completed order of 150.00, paid by hand, with its issued tax invoice. */
async function sold(): Promise<{ order_id: number; note: Answer['data'] }> {
  const quote = await sentQuote(scene.acme)
  const { order_id } = (await buyer.post(`/quotes/${quote}/accept`)).data
  const { data: invoices } = await buyer.get(`/invoices/order/${order_id}`)
  expect((await scene.acme.staff.post(`/invoices/${invoices[0].id}/pay`, {})).status).toBe(200)
  await scene.work()
  const { data: notes } = await buyer.get(`/tax-invoices/order/${order_id}`)
  expect(notes).toMatchObject([{ status: 'issued', total: '150.00' }])
  return { order_id, note: await scene.get(notes[0].id) }
}
const refund = async (order_id: number, body: object = {}) => {
  const answer = await buyer.post(`/orders/${order_id}/refund`, body)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data
}
const settled = async ({ refund_id }: { refund_id: number }) => {
  for (const act of ['approve', 'settle'])
    expect((await scene.acme.staff.post(`/refunds/${refund_id}/${act}`)).status, act).toBe(200)
  await scene.work()
}
const SWAP = { reason_code: '99', reason: 'A part was refunded' }
const substitute = (id: number) => scene.acme.staff.post(`/tax-invoices/${id}/substitute`, SWAP)

describe('POST /orders/{id}/refund', () => {
  it('200 in part offers to substitute or cancel, until the deadline; the substitute declares the rest', async () => {
    scene.authority.profile = { ...PROFILE, cancel_days: 3650 }
    const { order_id, note } = await sold()
    const offered = { tax_invoice_id: note.id, nfse_number: note.nfse_number, total: '150.00' }
    const asked = await refund(order_id, { amount: '60.00' })
    const cancel_until = addDays('2026-11-20', 3650)
    expect(asked.tax_invoices).toEqual([{ ...offered, cancel_until, actions: ['substitute', 'cancel'] }])
    await settled(asked)
    const { data: successor } = await substitute(note.id)
    expect(successor.total).toBe('90.00')
    await scene.work()
    expect(await scene.get(successor.id)).toMatchObject({ status: 'issued', total: '90.00' })
    expect((await scene.get(note.id)).substatus).toBe('substituted')
    expect((await refund(order_id)).tax_invoices).toMatchObject([{ tax_invoice_id: successor.id, actions: ['cancel'] }])
  })
  it('200 in full offers to cancel, which alone is possible then', async () => {
    const { order_id, note } = await sold()
    const asked = await refund(order_id)
    expect(asked.tax_invoices).toMatchObject([{ tax_invoice_id: note.id, cancel_until: null, actions: ['cancel'] }])
    await settled(asked)
    const answer = await substitute(note.id)
    expect([answer.status, answer.message]).toEqual([409, expect.stringContaining('cancel it')])
  })
  it('200 offers nothing after the deadline, and no tax invoice that is being cancelled', async () => {
    const { order_id, note } = await sold()
    await scene.app.database.query(`update tax_invoices set cancel_until = '2026-01-01' where id = $1`, [note.id])
    expect((await refund(order_id, { amount: '1.00' })).tax_invoices).toMatchObject([{ actions: [] }])
    await scene.acme.staff.post(`/tax-invoices/${note.id}/cancel`, { reason_code: '2', reason: 'It was refunded' })
    expect((await refund(order_id, { amount: '1.00' })).tax_invoices).toEqual([])
  })
})
