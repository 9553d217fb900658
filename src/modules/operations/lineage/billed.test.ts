// The invoices of an entitlement, in both directions: by the codes in their lines, or by the order if no line names
// any.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lineOf, openInvoice, payInvoice } from '#test/scenes/paid-invoices.ts'
import { type TaxScene, taxScene } from '#test/scenes/tax-scene.ts'
import type { Speaker } from '#test/harness/world.ts'

let scene: TaxScene
let viewer: Speaker
beforeAll(async () => {
  scene = await taxScene()
  viewer = await scene.acme.member({ scopes: ['entitlements', 'finances'] })
})
afterAll(() => scene.app.close())

const entitled = async (name: string, quoteOrOrder: object = {}): Promise<{ id: number; code: string }> => {
  const body = { class: name, product_name: name, organization_id: scene.acme.id, company: 'entity_br' }
  const { id, code } = (await scene.acme.staff.post('/entitlements', body)).data
  for (const [column, value] of Object.entries(quoteOrOrder))
    await scene.app.database.query(`update entitlements set ${column} = $2 where id = $1`, [id, value])
  return { id, code }
}
const orderOf = async (invoice: number): Promise<number> => (await viewer.get(`/invoices/${invoice}`)).data.order_id
const codesBy = async (origin: string): Promise<string[]> => {
  const answer = await viewer.get(`/lineage?${origin}`)
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.data.map(({ code }: { code: string }) => code).toSorted()
}
const idsOf = (items: { id: number }[]) => items.map(({ id }) => id)
const billed = async (id: number) => {
  const { invoices, tax_invoices } = (await viewer.get(`/entitlements/${id}/lineage`)).data
  return { invoices: idsOf(invoices), tax: idsOf(tax_invoices) }
}
const taxOf = async (invoice: number) =>
  scene.app.database.query<{ id: number; nfse_number: string }>(
    'select id, nfse_number from tax_invoices where invoice_id = $1 order by total desc',
    [invoice],
  )

describe('an order of two', () => {
  it('each tax invoice belongs only to the entitlements that its lines name', async () => {
    const { acme, app } = scene
    const [plg, env] = [await entitled('PLG'), await entitled('ENV')]
    const lines = [
      { ...lineOf('PLG', '100.00'), entitlement_code: plg.code },
      { ...lineOf('ENV', '50.00'), entitlement_code: env.code },
    ]
    const invoice = await openInvoice(app, acme, { lines, withOrder: true })
    const order = await orderOf(invoice)
    const third = await entitled('SVC', { order_id: order })
    for (const { id } of [plg, env])
      await app.database.query('update entitlements set order_id = $2 where id = $1', [id, order])
    await payInvoice(acme, invoice)
    await scene.work()
    const [first, second] = await taxOf(invoice)
    expect(await codesBy(`tax_invoice=${first?.nfse_number}`)).toEqual([plg.code])
    expect(await codesBy(`tax_invoice=${second?.nfse_number}`)).toEqual([env.code])
    const { number } = (await viewer.get(`/invoices/${invoice}`)).data
    expect(await codesBy(`invoice=${number}`)).toEqual([env.code, plg.code])
    expect(await billed(plg.id)).toEqual({ invoices: [invoice], tax: [first?.id] })
    expect(await billed(env.id)).toEqual({ invoices: [invoice], tax: [second?.id] })
    expect(await billed(third.id)).toEqual({ invoices: [], tax: [] })
  })
  it('an invoice whose lines name none belongs to the entitlements of the order', async () => {
    const invoice = await openInvoice(scene.app, scene.acme, { withOrder: true })
    const order = await orderOf(invoice)
    const both = [await entitled('PLG', { order_id: order }), await entitled('ENV', { order_id: order })]
    await payInvoice(scene.acme, invoice)
    await scene.work()
    const [only] = await taxOf(invoice)
    expect(await codesBy(`tax_invoice=${only?.nfse_number}`)).toEqual(both.map(({ code }) => code).toSorted())
    for (const { id } of both) expect(await billed(id)).toEqual({ invoices: [invoice], tax: [only?.id] })
  })
})

describe('an invoice without an order', () => {
  it('is found by the entitlement that it names, once it is not a draft', async () => {
    const { acme } = scene
    const [named, other] = [await entitled('PLG'), await entitled('PLG')]
    const line = { product_name: 'Support', quantity: 1, unit_price: '10.00', entitlement_code: named.code }
    const written = await acme.staff.post('/invoices', { currency: 'BRL', company: 'entity_br', line_items: [line] })
    const { id, number: draft } = written.data
    expect(await billed(named.id)).toEqual({ invoices: [], tax: [] })
    expect((await viewer.get(`/lineage?invoice=${draft}`)).status).toBe(404)
    expect((await acme.staff.get(`/lineage?invoice=${draft}`)).data).toHaveLength(1)
    const { number } = (await acme.staff.post(`/invoices/${id}/finalize`)).data
    await payInvoice(acme, id)
    await scene.work()
    const [only] = await taxOf(id)
    expect(await codesBy(`invoice=${number}`)).toEqual([named.code])
    expect(await codesBy(`tax_invoice=${only?.nfse_number}`)).toEqual([named.code])
    expect(await billed(named.id)).toEqual({ invoices: [id], tax: [only?.id] })
    expect(await billed(other.id)).toEqual({ invoices: [], tax: [] })
  })
  it('belongs to no entitlement when it names none', async () => {
    const invoice = await openInvoice(scene.app, scene.acme)
    const { number } = (await viewer.get(`/invoices/${invoice}`)).data
    expect(await codesBy(`invoice=${number}`)).toEqual([])
  })
})
