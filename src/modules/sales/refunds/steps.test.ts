// The steps of a refund, and their restart: provider, credit note, tax invoice, entitlements, licenses, subscription, commission.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DryRunScene, dryRunScene, sold } from '#test/scenes/dry-runs.ts'
import { LICENSE_LINE } from '#test/scenes/commerce.ts'
import { sendEvent } from '#test/scenes/stripe.ts'
import { begun } from '#test/scenes/subscriptions.ts'
import type { Answer } from '#test/harness/world.ts'
import type { RefundStep } from './refund-steps.ts'

let scene: DryRunScene
beforeAll(async () => void (scene = await dryRunScene()))
afterAll(() => scene.close())

const drain = () => scene.at.app.service.worker.drain()
async function refund(order_id: number, body: object = {}): Promise<number> {
  const answer = await scene.at.acme.staff.post(`/orders/${order_id}/refund`, body)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data.refund_id
}
const seen = async (id: number, by = scene.at.acme.staff): Promise<Answer['data']> =>
  (await by.get(`/refunds/${id}`)).data
/** `step status`, with whose turn it is. */
const stepsOf = async (id: number, by = scene.at.acme.staff): Promise<string[]> =>
  (await seen(id, by)).steps.map(({ step, status, waits_for: by_whom }: RefundStep) =>
    [step, status, by_whom].filter(Boolean).join(' '),
  )
const stepOf = async (id: number, name: string): Promise<RefundStep> =>
  (await seen(id)).steps.find(({ step }: RefundStep) => step === name)
const fieldsOf = async (answer: Promise<Answer>) => Object.keys((await answer).errors?.fields ?? {})
/** The provider confirms it. */
async function confirmed(id: number, status = 'succeeded'): Promise<void> {
  await drain()
  const { provider_reference: reference } = await seen(id)
  await sendEvent(scene.at, 'refund.updated', Object.assign(scene.at.stripe.refunds.get(reference) ?? {}, { status }))
}
const retry = (id: number) => scene.at.acme.staff.post(`/refunds/${id}/retry`)

describe('GET /refunds/{id}', () => {
  it('200 of all of an order: each step waits for the provider, then is done, but what staff decide', async () => {
    const { order_id } = await sold(scene)
    const id = await refund(order_id)
    expect(await stepsOf(id)).toEqual([
      'payment waiting payment_provider',
      'credit_note waiting payment_provider',
      'tax_invoice waiting staff',
      'tax_invoice waiting staff',
      'entitlement waiting payment_provider',
      'entitlement waiting payment_provider',
      'license waiting payment_provider',
      'subscription not_needed',
      'commission waiting payment_provider',
    ])
    await confirmed(id)
    expect(await stepsOf(id)).toEqual([
      'payment done',
      'credit_note done',
      'tax_invoice waiting staff',
      'tax_invoice waiting staff',
      'entitlement done',
      'entitlement done',
      'license done',
      'subscription not_needed',
      'commission done',
    ])
    expect(await stepOf(id, 'credit_note')).toMatchObject({
      resource: 'credit_note',
      reference: expect.stringMatching(/^BRC-/),
    })
    expect(await seen(id)).toMatchObject({ settled_at: scene.at.app.clock.now.toISOString() })
  })
  it('200 of a part: what was sold stays', async () => {
    const { order_id } = await sold(scene)
    const id = await refund(order_id, { amount: '10.00', tax_invoice_action: 'keep' })
    await confirmed(id)
    expect(await stepsOf(id)).toEqual([
      'payment done',
      'credit_note done',
      'tax_invoice not_needed',
      'tax_invoice not_needed',
      'entitlement not_needed',
      'license not_needed',
      'subscription not_needed',
      'commission done',
    ])
  })
  it('200 without the commission for customers, and without what went wrong inside', async () => {
    const { order_id } = await sold(scene)
    const id = await refund(order_id)
    await drain()
    await scene.at.app.database.query(
      `insert into jobs (organization_id, kind, payload, dead_at, last_error) values ($1, 'refunds/send', $2, now(), 'secret')`,
      [scene.at.acme.id, { refund_id: id }],
    )
    const clerk = await scene.at.acme.member({ scopes: ['orders', 'finances'] })
    expect((await stepsOf(id, clerk)).map((step) => step.split(' ')[0])).not.toContain('commission')
    expect((await seen(id, clerk)).steps[0]).toMatchObject({ status: 'failed', waits_for: 'staff', problem: null })
    expect((await seen(id)).steps[0]).toMatchObject({ status: 'failed', problem: 'secret' })
    await scene.at.app.database.query(`delete from jobs where last_error = 'secret'`)
  })
  it('200 of a refund that failed: nothing else is needed', async () => {
    const { order_id } = await sold(scene)
    const id = await refund(order_id)
    await confirmed(id, 'failed')
    const steps = await stepsOf(id)
    expect(steps[0]).toBe('payment failed')
    expect(steps.slice(1).every((step) => step.endsWith('not_needed'))).toBe(true)
  })
  it('200 of a renewal: with the entitlement of the first order that it has extended, and its license', async () => {
    const first = await sold(scene, [LICENSE_LINE])
    const { id: entitlement, code } = first.entitlements[0]
    const [license] = (await scene.at.buyer.get(`/entitlements/${entitlement}/licenses`)).data
    const { order_id } = await sold(scene, [{ ...LICENSE_LINE, entitlement_code: code }])
    const part = await refund(order_id, { amount: '10.00' })
    await confirmed(part)
    expect(await stepOf(part, 'entitlement')).toMatchObject({ status: 'not_needed' })
    const id = await refund(order_id)
    expect(await stepOf(id, 'license')).toMatchObject({ status: 'waiting', waits_for: 'payment_provider' })
    await confirmed(id)
    const at = scene.at.app.clock.now.toISOString()
    const done = { status: 'done', at, reference: code }
    expect(await stepOf(id, 'entitlement')).toMatchObject({ ...done, resource_id: entitlement })
    expect(await stepOf(id, 'license')).toMatchObject({ ...done, resource_id: license.id })
    expect(await stepOf(id, 'subscription')).toMatchObject({ status: 'not_needed' })
  })
  it('200 of a renewal that a later one follows: its license keeps its end', async () => {
    const { entitlements } = await sold(scene, [LICENSE_LINE])
    const line = { ...LICENSE_LINE, entitlement_code: entitlements[0].code }
    const [{ order_id }] = [await sold(scene, [line]), await sold(scene, [line])]
    const id = await refund(order_id)
    await confirmed(id)
    expect(await stepOf(id, 'entitlement')).toMatchObject({ status: 'done', resource_id: entitlements[0].id })
    expect(await stepOf(id, 'license')).toMatchObject({ status: 'not_needed' })
  })
  it('200 with the end of the subscription', async () => {
    const { order_id } = await begun(scene.at, null)
    const id = await refund(order_id)
    await confirmed(id)
    expect(await stepOf(id, 'subscription')).toMatchObject({ status: 'done', resource: 'order', resource_id: order_id })
  })
})

describe('tax_invoice_action', () => {
  it('cancel asks the authority once all of the invoice is refunded', async () => {
    const { order_id, notes } = await sold(scene)
    const id = await refund(order_id, { tax_invoice_action: 'cancel' })
    expect(await stepOf(id, 'tax_invoice')).toMatchObject({ status: 'waiting', waits_for: 'payment_provider' })
    await confirmed(id)
    expect(await stepOf(id, 'tax_invoice')).toMatchObject({ status: 'done', at: expect.any(String) })
    const { data } = await scene.at.acme.staff.get(`/tax-invoices/${notes[0].id}`)
    expect(data).toMatchObject({ status: 'cancelled', cancel_reason: 'O pagamento da fatura foi devolvido.' })
  })
  it('cancel that the authority refuses has failed, with what it says', async () => {
    const { order_id } = await sold(scene)
    scene.authority.script.cancel.push(
      ...Array.from({ length: 2 }, () => [{ code: 'E0822', message: 'Prazo expirado', detail: null }]),
    )
    const id = await refund(order_id, { tax_invoice_action: 'cancel' })
    await confirmed(id)
    expect(await stepOf(id, 'tax_invoice')).toMatchObject({
      status: 'failed',
      waits_for: 'staff',
      problem: 'Prazo expirado',
    })
  })
  it('422 from customers; cancel is 422 while a part of the invoice is kept', async () => {
    const { order_id } = await sold(scene)
    const path = `/orders/${order_id}/refund`
    const { acme, buyer } = scene.at
    expect(await fieldsOf(buyer.post(path, { tax_invoice_action: 'keep' }))).toEqual(['tax_invoice_action'])
    const inPart = { amount: '1.00', tax_invoice_action: 'cancel' }
    expect(await fieldsOf(acme.staff.post(path, inPart))).toEqual(['tax_invoice_action'])
  })
})

describe('POST /refunds/{id}/retry', () => {
  it('200 restarts its dead letters and no others', async () => {
    const { order_id, invoice_id } = await sold(scene)
    const other = await sold(scene)
    const id = await refund(order_id)
    await confirmed(id)
    const letter = (invoice: number) =>
      scene.at.app.database.query(
        `insert into jobs (organization_id, kind, payload, dead_at, last_error)
         values ($1, 'affiliates/commission', $2, now(), 'PermanentFailure: away')`,
        [scene.at.acme.id, { organization_id: scene.at.acme.id, invoice_id: invoice, is_new: false }],
      )
    await letter(invoice_id)
    await letter(other.invoice_id)
    expect(await stepOf(id, 'commission')).toMatchObject({ status: 'failed', problem: 'PermanentFailure: away' })
    const answer = await retry(id)
    expect(answer.status, answer.raw.body).toBe(200)
    expect(answer.data.steps.at(-1)).toMatchObject({ step: 'commission', status: 'waiting', waits_for: 'service' })
    await drain()
    expect(await stepOf(id, 'commission')).toMatchObject({ status: 'done' })
    const left = await scene.at.app.database.query(`delete from jobs where dead_at is not null returning payload`)
    expect(left).toMatchObject([{ payload: { invoice_id: other.invoice_id } }])
  })
  it('409 when nothing has failed, 404 for the refund of another organization', async () => {
    const { order_id } = await sold(scene)
    const id = await refund(order_id)
    expect((await retry(id)).status).toBe(409)
    const other = await scene.at.app.world.organization()
    expect((await other.staff.post(`/refunds/${id}/retry`)).status).toBe(404)
  })
})
