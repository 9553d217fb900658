import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { acceptedQuote, buyerOf, LICENSE_LINE } from '#test/scenes/commerce.ts'
import { product } from '#test/scenes/releases.ts'
import { addMonths } from '#kernel/values/time/calendar.ts'

const app = await appOfFile()
const acme = await app.world.organization()

describe('a paid line from the catalogue', () => {
  it('becomes an entitlement to its product, with the update period of the day of the payment', async () => {
    const limited = await product(acme, { update_months: 6 })
    const always = await product(acme)
    const line_items = [
      { product_id: limited.id, quantity: 1, unit_price: '1.00' },
      { product_id: always.id, quantity: 1, unit_price: '1.00' },
      LICENSE_LINE,
    ]
    const buyer = await buyerOf(acme)
    const { invoice_id } = await acceptedQuote(app, acme, buyer, { line_items })
    await acme.staff.patch(`/admin/products/${limited.id}`, { update_months: 12 })
    app.clock.advance(3600)
    const end = addMonths(app.clock.now, 12, 'America/Sao_Paulo').toISOString()
    expect((await acme.staff.post(`/invoices/${invoice_id}/pay`, {})).status).toBe(200)
    await app.service.worker.drain()
    const { data } = await buyer.get('/entitlements')
    expect(data.toReversed()).toMatchObject([
      { product_id: limited.id, updates_until: end, release_channels: ['stable'] },
      { product_id: always.id, updates_until: null },
      { product_id: null, updates_until: null },
    ])
  })
})
