// From a paid invoice to a tax invoice and its cancellation, with the sandbox's payment provider and tax authority.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { freshCnpj } from '#test/scenes/cnpj.ts'
import { acceptedQuote, buyerOf, eventually, pressPay } from '#test/scenes/commerce.ts'
import type { Answer, Organization } from '#test/harness/world.ts'

const app = await appOfFile({ listens: true })

async function paid(more: object = {}): Promise<{ at: Organization; look: () => Promise<Answer> }> {
  const at = await app.world.organization()
  const change = await at.staff.put(`/organizations/${at.id}`, { country: 'BR', cnpj: freshCnpj(true), ...more })
  expect(change.status, change.raw.body).toBe(200)
  const buyer = await buyerOf(at)
  const { checkout_url } = await acceptedQuote(app, at, buyer)
  expect(await pressPay(checkout_url)).toBeLessThan(400)
  return { at, look: () => at.staff.get('/tax-invoices') }
}

const settled = ({ data }: Answer) => data[0] !== undefined && data[0].status !== 'pending'

describe('a paid invoice of entity_br', () => {
  it('gets its tax invoice automatically, which is cancelled once', async () => {
    const { at, look } = await paid()
    const [{ id }] = (await eventually(app, look, settled)).data
    const { data } = await at.staff.get(`/tax-invoices/${id}`)
    expect(data).toMatchObject({
      status: 'issued',
      error_code: null,
      access_key: expect.stringMatching(/^3550308221122233300018100/),
    })
    const xml = await at.staff.get(`/tax-invoices/${id}/xml`)
    expect(xml.raw.body).toContain(`<infNFSe Id="NFS${data.access_key}">`)
    const body = { reason_code: '2', reason: 'Serviço não prestado' }
    expect((await at.staff.post(`/tax-invoices/${id}/cancel`, body)).status).toBeLessThan(300)
    const after = await eventually(app, look, (answer) => answer.data[0]?.status === 'cancelled')
    expect(after.data).toHaveLength(1)
  })
  it('shows why the authority refused, and is issued when it allows it', async () => {
    const { at, look } = await paid({ tax_param5: 'refuse' })
    const [{ id }] = (await eventually(app, look, settled)).data
    expect((await at.staff.get(`/tax-invoices/${id}`)).data).toMatchObject({ status: 'error', error_code: 'E0188' })
    await at.staff.put(`/organizations/${at.id}`, { tax_param5: null })
    expect((await at.staff.post(`/tax-invoices/${id}/retry`)).status).toBeLessThan(300)
    const after = await eventually(app, look, (answer) => answer.data[0]?.status !== 'pending')
    expect(after.data[0]).toMatchObject({ id, status: 'issued' })
  })
  it.each(['unclear', 'unavailable'])('is issued once although the authority is %s at first', async (tax_param5) => {
    const { look } = await paid({ tax_param5 })
    const { data } = await eventually(app, look, settled)
    expect(data).toMatchObject([{ status: 'issued' }])
  })
})
