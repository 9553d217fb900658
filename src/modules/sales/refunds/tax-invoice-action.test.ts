// What becomes of the tax invoices of a refund, decided later: after the request, after a lost dispute.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DryRunScene, dryRunScene, sold } from '#test/scenes/dry-runs.ts'
import { sendEvent } from '#test/scenes/stripe.ts'
import type { Answer } from '#test/harness/world.ts'

let scene: DryRunScene
beforeAll(async () => void (scene = await dryRunScene()))
afterAll(() => scene.close())

const staff = () => scene.at.acme.staff
const drain = () => scene.at.app.service.worker.drain()
const decide = (id: number, tax_invoice_action: string) => staff().patch(`/refunds/${id}`, { tax_invoice_action })

async function requested(order_id: number, body: object = {}): Promise<number> {
  const { data } = await staff().post(`/orders/${order_id}/refund`, body)
  await drain()
  return data.refund_id
}
async function confirmed(id: number, status = 'succeeded'): Promise<void> {
  const { provider_reference: reference } = (await staff().get(`/refunds/${id}`)).data
  await sendEvent(scene.at, 'refund.updated', Object.assign(scene.at.stripe.refunds.get(reference) ?? {}, { status }))
}
/** The bank takes all of the payment, or a part in minor units. */
async function lost(amount?: number) {
  const sale = await sold(scene)
  const dispute = scene.at.stripe.dispute(sale.reference, amount)
  await sendEvent(scene.at, 'charge.dispute.created', dispute)
  await sendEvent(scene.at, 'charge.dispute.closed', scene.at.stripe.closeDispute(dispute.id, 'lost'))
  const [refund] = (await staff().get(`/refunds?order_id=${sale.order_id}`)).data
  expect(refund).toMatchObject({ status: 'succeeded', dispute_id: expect.any(Number), tax_invoice_action: null })
  return { id: refund.id, tax_invoice: sale.notes[0].id }
}

const stepsOf = async (id: number): Promise<string[]> =>
  (await staff().get(`/refunds/${id}`)).data.steps
    .filter(({ step }: { step: string }) => step === 'tax_invoice')
    .map(({ status, waits_for }: { status: string; waits_for: string | null }) => `${status} ${waits_for ?? ''}`.trim())
const statusOf = async (id: number) => (await staff().get(`/tax-invoices/${id}`)).data.status
const fieldsOf = ({ status, errors }: Answer) => [status, Object.keys(errors?.fields ?? {})]

describe('PATCH /refunds/{id}', () => {
  it('200 after a lost dispute: cancel asks the authority', async () => {
    const { id, tax_invoice } = await lost()
    expect((await stepsOf(id))[0]).toBe('waiting staff')
    expect((await decide(id, 'cancel')).data).toMatchObject({ status: 'succeeded', tax_invoice_action: 'cancel' })
    await drain()
    expect(new Set(await stepsOf(id))).toEqual(new Set(['done']))
    expect(await statusOf(tax_invoice)).toBe('cancelled')
    expect((await decide(id, 'cancel')).status).toBe(200)
    expect((await decide(id, 'keep')).message).toBe('The authority is being asked already')
  })
  it('200 after a lost dispute: keep leaves them, until it is cancel after all', async () => {
    const { id, tax_invoice } = await lost()
    expect((await decide(id, 'keep')).status).toBe(200)
    await drain()
    expect(new Set(await stepsOf(id))).toEqual(new Set(['not_needed']))
    expect(await statusOf(tax_invoice)).toBe('issued')
    await decide(id, 'cancel')
    await drain()
    expect(await statusOf(tax_invoice)).toBe('cancelled')
  })
  it('200 while the provider has not confirmed it: asked with the confirmation, once', async () => {
    const { order_id, notes } = await sold(scene)
    const id = await requested(order_id)
    expect((await decide(id, 'cancel')).status).toBe(200)
    expect((await decide(id, 'keep')).status).toBe(200)
    expect((await decide(id, 'cancel')).status).toBe(200)
    await drain()
    expect(await statusOf(notes[0].id)).toBe('issued')
    await confirmed(id)
    expect(await statusOf(notes[0].id)).toBe('cancelled')
  })
  it('422 for cancel while a part of the invoice is kept, before and after; keep is 200', async () => {
    const { order_id } = await sold(scene)
    const id = await requested(order_id, { amount: '10.00' })
    expect(fieldsOf(await decide(id, 'cancel'))).toEqual([422, ['tax_invoice_action']])
    await confirmed(id)
    expect(fieldsOf(await decide(id, 'cancel'))).toEqual([422, ['tax_invoice_action']])
    expect((await decide(id, 'keep')).status).toBe(200)
    const { id: inPart } = await lost(1000)
    expect(fieldsOf(await decide(inPart, 'cancel'))).toEqual([422, ['tax_invoice_action']])
  })
  it('200 for keep when the refund of the rest has failed: nobody was asked, and both are a part then', async () => {
    const { order_id, notes } = await sold(scene)
    const [part, rest] = [await requested(order_id, { amount: '10.00' }), await requested(order_id)]
    expect((await decide(part, 'cancel')).status).toBe(200)
    await confirmed(part)
    await confirmed(rest, 'failed')
    expect(await statusOf(notes[0].id)).toBe('issued')
    expect((await decide(part, 'keep')).status).toBe(200)
    expect(fieldsOf(await decide(part, 'cancel'))).toEqual([422, ['tax_invoice_action']])
  })
  it('409 for a refund that failed; 422 without a decision; 403 for customers; 404 elsewhere', async () => {
    const { order_id } = await sold(scene)
    const id = await requested(order_id)
    await confirmed(id, 'failed')
    expect((await decide(id, 'keep')).status).toBe(409)
    expect(fieldsOf(await staff().patch(`/refunds/${id}`, {}))).toEqual([422, ['tax_invoice_action']])
    expect(fieldsOf(await decide(id, 'forget'))).toEqual([422, ['tax_invoice_action']])
    expect((await scene.at.buyer.patch(`/refunds/${id}`, { tax_invoice_action: 'keep' })).status).toBe(403)
    const other = await scene.at.app.world.organization()
    expect((await other.staff.patch(`/refunds/${id}`, { tax_invoice_action: 'keep' })).status).toBe(404)
  })
})
