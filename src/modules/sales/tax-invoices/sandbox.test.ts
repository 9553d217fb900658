// With the adapter of the national system and the sandbox authority, over HTTP: two service codes, a substitution, and
// the content of the signed documents.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { freshCnpj } from '#test/scenes/cnpj.ts'
import { eventually } from '#test/scenes/commerce.ts'
import { lineOf, paidInvoice } from '#test/scenes/paid-invoices.ts'
import type { Answer } from '#test/harness/world.ts'

const app = await appOfFile({ listens: true })
const acme = await app.world.organization({ name: 'Ação & Cia <b> 🚀 مرحبا' })
await acme.owner.put(`/organizations/${acme.id}`, { cnpj: freshCnpj(true) })

const settled = ({ data }: Answer) =>
  data.length > 0 && data.every(({ status }: { status: string }) => status !== 'pending')

describe('the sandbox authority', () => {
  it('issues an invoice of several codes in parts, and the XML of a replacement names the replaced one', async () => {
    const lines = [lineOf('PLG', '100.10', 'Backup “Pró” 🚀 <b>&amp;'), lineOf('ENV', '49.90')]
    const invoice = await paidInvoice(app, acme, { lines })
    const { data: made } = await eventually(app, () => acme.owner.get('/tax-invoices'), settled)
    expect(made.map(({ status, total }: Answer['data']) => [status, total])).toEqual([
      ['issued', '49.90'],
      ['issued', '100.10'],
    ])
    const old = made[1]
    const reason = { reason_code: '99', reason: 'The address was wrong' }
    const { data: successor } = await acme.staff.post(`/tax-invoices/${old.id}/substitute`, reason)
    await eventually(app, () => acme.owner.get('/tax-invoices'), settled)
    const [before, after] = await Promise.all(
      [old.id, successor.id].map(async (id) => (await acme.owner.get(`/tax-invoices/${id}`)).data),
    )
    expect(after).toMatchObject({ status: 'issued', replaces_id: old.id, invoice_id: invoice })
    expect(before).toMatchObject({ status: 'cancelled', substatus: 'substituted', replaced_by_id: after.id })
    const xml = (await acme.owner.get(`/tax-invoices/${after.id}/xml`)).data.toString('utf8')
    expect(xml).toContain(`<chSubstda>${before.access_key}</chSubstda>`)
    expect(xml).toContain('<xNome>Ação &amp; Cia &lt;b&gt; 🚀 مرحبا</xNome>')
    expect(xml).toContain('<vServ>100.10</vServ>')
    const again = await acme.staff.post(`/tax-invoices/${after.id}/cancel`, { ...reason, reason_code: '9' })
    expect(again.data.substatus).toBe('cancelling')
    const ended = await eventually(
      app,
      () => acme.owner.get(`/tax-invoices/${after.id}`),
      ({ data }) => data.status === 'cancelled',
    )
    expect(ended.data.cancelled_at).toEqual(expect.any(String))
  })
})
