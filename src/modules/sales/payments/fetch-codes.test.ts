// Pix and boleto codes of an invoice's checkout: from the provider to the customer, renewed, paid, and closed.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { acceptedQuote, buyerOf, eventually, pressPay } from '#test/scenes/commerce.ts'
import { setSettings } from '#test/scenes/settings.ts'
import { settlingAt } from '#test/scenes/settling.ts'
import type { Answer, Organization } from '#test/harness/world.ts'
import { fetchCodesJob } from './fetch-codes.ts'

const app = await appOfFile({ listens: true })

const ADDRESS = { address: 'Rua “A” 🚀', address_number: '1', city: 'São Paulo', state: 'SP', zipcode: '01310-100' }

async function customer(more: object = {}): Promise<Organization> {
  const acme = await app.world.organization()
  const body = { email: 'contas@acme.example', ...ADDRESS, ...more }
  expect((await acme.staff.put(`/organizations/${acme.id}`, body)).status).toBe(200)
  return acme
}
/** An open invoice with its checkout, and the codes that the jobs have fetched. */
async function open(acme: Organization, more: object = {}): Promise<{ id: number; options: Answer['data'] }> {
  const invoice = { total: '150.50', currency: 'BRL', company: 'entity_br', status: 'open', ...more }
  const { data, raw, status } = await acme.staff.post('/invoices', invoice)
  expect(status, raw.body).toBe(201)
  await app.service.worker.drain()
  return { id: data.id, options: await optionsOf(acme, data.id) }
}
const optionsOf = async ({ owner }: Organization, id: number) =>
  (await owner.get(`/invoices/${id}/payment-options`)).data.options
const statusOf = async ({ owner }: Organization, id: number) => (await owner.get(`/invoices/${id}`)).data.status
const CNPJ = { cnpj: '11222333000181' }

async function renew(): Promise<void> {
  const job = `insert into jobs (kind, run_at) values ('payments/renew-codes', $1)`
  await app.database.query(job, [app.clock.now])
  await app.service.worker.drain()
}

describe('payment codes', () => {
  it('are in the API, and in the reminder; a boleto needs the CNPJ', async () => {
    const acme = await customer(CNPJ)
    const { id, options } = await open(acme)
    expect(options.page.url).toMatch(/^http/)
    expect(options.pix.copy_code).toMatch(/^000201/)
    expect(options.boleto.line).toMatch(/^\d{47}$/)
    expect((await acme.staff.post(`/invoices/${id}/remind`)).status).toBe(202)
    const [reminder] = await mailsTo(app, acme.owner.email)
    expect(reminder?.text).toContain(options.pix.copy_code)
    const without = await open(await customer())
    expect(without.options).toMatchObject({ pix: { copy_code: expect.stringMatching(/^000201/) }, boleto: null })
  })

  it('pay the invoice, and end with it', async () => {
    const acme = await customer({ cnpj: '11444777000161' })
    const { id, options } = await open(acme)
    expect(await pressPay(options.boleto.pdf_url)).toBe(303)
    await eventually(
      app,
      () => statusOf(acme, id),
      (status) => status === 'paid',
    )
    expect((await acme.owner.get(`/invoices/${id}`)).data).toMatchObject({ amount_paid: '150.50', amount_due: '0.00' })
    expect(await optionsOf(acme, id)).toEqual({ page: null, pix: null, boleto: null, bank_transfer: null })
    const { data } = await acme.owner.get(`/invoices/${id}/payments`)
    expect(data[0]).toMatchObject({ amount: '150.50', payment_method: 'boleto' })
  })

  it('cannot be paid any more once the page was, and of an invoice that is void', async () => {
    const acme = await customer({ cnpj: '06990590000123' })
    const [paid, voided] = [await open(acme), await open(acme)]
    await pressPay(paid.options.page.url)
    await eventually(
      app,
      () => statusOf(acme, paid.id),
      (status) => status === 'paid',
    )
    await acme.staff.post(`/invoices/${voided.id}/void`)
    await app.service.worker.drain()
    for (const { options } of [paid, voided]) expect(await pressPay(options.boleto.pdf_url)).toBe(409)
  })

  it('are others when a credit note changes the amount', async () => {
    const acme = await customer({ cnpj: '19131243000197' })
    const { id, options } = await open(acme)
    await acme.staff.post(`/invoices/${id}/credit-notes`, { reason: 'Less', amount: '50.50' })
    expect(await optionsOf(acme, id)).toMatchObject({ page: null, pix: null, boleto: null })
    await app.service.worker.drain()
    const later = await optionsOf(acme, id)
    expect(later.boleto.line.slice(-10)).toBe('0000010000')
    expect(later.pix.copy_code).not.toBe(options.pix.copy_code)
    expect(await pressPay(options.boleto.pdf_url)).toBe(409)
  })

  it('are renewed when they have ended; the boleto, which has not, stays', async () => {
    const acme = await customer({ cnpj: '33000167000101' })
    const { id, options } = await open(acme)
    await renew()
    expect(await optionsOf(acme, id)).toEqual(options)
    await app.database.query(
      `update invoices set payment_codes_until = $2::text::timestamptz,
              payment_codes = jsonb_set(payment_codes, '{pix,expires_at}', to_jsonb($2::text)) where id = $1`,
      [id, app.clock.now.toISOString()],
    )
    expect((await optionsOf(acme, id)).pix).toBeNull()
    await renew()
    const renewed = await optionsOf(acme, id)
    expect(renewed.pix.copy_code).not.toBe(options.pix.copy_code)
    expect(renewed.boleto).toEqual(options.boleto)
  })

  it('are asked for again a day later where the provider gave none', async () => {
    const acme = await customer({ cnpj: '07526557000100' })
    const { id, options } = await open(acme)
    await app.database.query(
      `update invoices set payment_codes_until = $2::text::timestamptz,
              payment_codes = jsonb_set(payment_codes, '{boleto,expires_at}', to_jsonb($2::text)) where id = $1`,
      [id, app.clock.now.toISOString()],
    )
    await acme.staff.put(`/organizations/${acme.id}`, { zipcode: null })
    await renew()
    expect(await optionsOf(acme, id)).toMatchObject({ pix: options.pix, boleto: null })
    await acme.staff.put(`/organizations/${acme.id}`, { zipcode: '01310-100' })
    await renew()
    expect((await optionsOf(acme, id)).boleto).toBeNull()
    // A day later.
    await app.database.query('update invoices set payment_codes_until = $2 where id = $1', [id, app.clock.now])
    await renew()
    const { boleto } = (await acme.staff.get(`/invoices/${id}/payment-options`)).data.options
    expect(boleto.line).not.toBe(options.boleto.line)
  })

  it('are none of an invoice in dollars, and of one that is paid by hand meanwhile', async () => {
    const acme = await customer({ cnpj: '60746948000112' })
    expect((await open(acme, { currency: 'USD' })).options).toMatchObject({ pix: null, boleto: null })
    const invoice = { total: '10.00', currency: 'BRL', company: 'entity_br', status: 'open' }
    const { data } = await acme.staff.post('/invoices', invoice)
    await acme.staff.post(`/invoices/${data.id}/pay`, {})
    await app.service.worker.drain()
    expect(await optionsOf(acme, data.id)).toMatchObject({ page: null, pix: null, boleto: null })
  })

  it('stay when their methods are not offered any more, are not renewed, and end with the invoice', async () => {
    const acme = await customer({ cnpj: '00000000000191' })
    const [first, second] = [await open(acme), await open(acme)]
    await setSettings(app, 'entity_br', { payment_methods: ['card'] })
    expect((await open(acme)).options).toMatchObject({
      page: { url: expect.stringMatching(/^http/) },
      pix: null,
      boleto: null,
    })
    const { id } = first
    await app.database.query(
      `update invoices set payment_codes_until = $2::text::timestamptz,
              payment_codes = jsonb_set(payment_codes, '{pix,expires_at}', to_jsonb($2::text)) where id = $1`,
      [id, app.clock.now.toISOString()],
    )
    await renew()
    expect(await optionsOf(acme, id)).toEqual({ ...first.options, pix: null })
    await acme.staff.post(`/invoices/${id}/void`)
    await app.service.worker.drain()
    expect(await pressPay(first.options.boleto.pdf_url)).toBe(409)
    expect(await pressPay(second.options.boleto.pdf_url)).toBe(303)
    await setSettings(app, 'entity_br', { payment_methods: null })
  })

  it('are of a quote’s invoice too', async () => {
    const acme = await customer({ cnpj: '45543915000181' })
    const { invoice_id } = await acceptedQuote(app, acme, await buyerOf(acme))
    await app.service.worker.drain()
    expect((await optionsOf(acme, invoice_id)).pix.copy_code).toMatch(/^000201/)
  })

  it('are not written where the checkout was replaced meanwhile', async () => {
    const acme = await app.world.organization()
    const at = settlingAt(app, acme)
    if (fetchCodesJob.scope !== 'organization') throw new Error('the job is of an organization')
    const { run } = fetchCodesJob
    const codes = { pix: { copy_code: '000201', expires_at: null }, boleto: null }
    for (const [checkout, written] of [
      ['in_1', codes],
      ['in_2', null],
      [null, null],
    ] as const) {
      const { invoice } = await at.sale({ invoice: { payment_invoice_id: checkout } })
      const payload = { invoice_id: invoice, reference: 'in_1' }
      const job = { id: 1, payload, attempts: 1, wasTried: false, createdAt: app.clock.now }
      await at.act(async (ctx) => run?.(ctx, job, codes))
      expect((await at.row('invoices', invoice))['payment_codes']).toEqual(written)
    }
  })
})
