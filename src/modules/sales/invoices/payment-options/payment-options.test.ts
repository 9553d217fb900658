// How an invoice is paid: in the API, on its page, in its PDF and in its mails.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import type { Answer, Organization } from '#test/harness/world.ts'
import { pixCode } from './pix-code.ts'

const app = await appOfFile({
  environment: {
    ENTITY_BR_PAYMENTS: 'offline',
    ENTITY_BR_PIX_KEY: 'pix@titular.example',
    ENTITY_BR_PIX_CITY: 'São Paulo',
    ENTITY_BR_BANK_ACCOUNT: 'Banco: 001; Agência: 1234-5; Conta: 67890-1',
  },
})
const acme = await app.world.organization({ name: 'Acme “Ünï” 🚀 <b>' })

const draft = (org: Organization, more: object = {}): Promise<Answer> =>
  org.staff.post('/invoices', { total: '150.00', currency: 'BRL', company: 'entity_br', status: 'open', ...more })
const made = async (org: Organization, more: object = {}) => {
  const a = await draft(org, more)
  expect(a.status, a.raw.body).toBe(201)
  return a.data
}
const optionsOf = (org: Organization, { id }: { id: number }) => org.owner.get(`/invoices/${id}/payment-options`)
const tokenIn = (url: string): string => new URL(url).pathname.replace('/invoices/', '')
const page = (token: string, language = 'en') =>
  app.service.app.inject({ url: `/invoices/${token}`, headers: { 'accept-language': language } })

const NONE = { page: null, pix: null, boleto: null, bank_transfer: null }

describe('pixCode', () => {
  // The example of the Central Bank's manual.
  it('is as the Central Bank writes it', () => {
    const receiver = { key: '123e4567-e12b-12d1-a456-426655440000', name: 'Fulano de Tal', city: 'BRASILIA' }
    expect(pixCode(receiver, null, '')).toBe(
      '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal' +
        '6008BRASILIA62070503***63041D3D',
    )
  })
})

describe('GET /invoices/{id}/payment-options', () => {
  it('200 with the Pix code and the account of the legal entity, by the amount that is due', async () => {
    const invoice = await made(acme)
    const { status, data } = await optionsOf(acme, invoice)
    expect(status).toBe(200)
    expect(data).toMatchObject({ invoice_id: invoice.id, number: invoice.number, amount_due: '150.00', status: 'open' })
    const { page: nowhere, pix, boleto, bank_transfer: transfer } = data.options
    expect([nowhere, boleto, pix.expires_at]).toEqual([null, null, null])
    expect(pix.copy_code).toContain('5406150.00')
    expect(pix.copy_code).toContain('6009Sao Paulo')
    expect(pix.copy_code).toContain(invoice.number.replace(/\W/g, ''))
    expect(transfer).toEqual({
      details: [
        { label: 'Banco', value: '001' },
        { label: 'Agência', value: '1234-5' },
        { label: 'Conta', value: '67890-1' },
      ],
      reference: invoice.number,
    })
    await acme.staff.post(`/invoices/${invoice.id}/pay`, { amount: '50.00' })
    const rest = (await optionsOf(acme, invoice)).data.options.pix
    expect(rest.copy_code).toContain('5406100.00')
  })
  it('200 with the link that staff gave it first', async () => {
    const invoice = await made(acme, { link: 'https://pay.example/42' })
    expect((await optionsOf(acme, invoice)).data.options.page).toEqual({ url: 'https://pay.example/42' })
  })
  it('200 without options once it is paid or void, and without Pix in another currency', async () => {
    const [paid, voided] = [await made(acme), await made(acme)]
    await acme.staff.post(`/invoices/${paid.id}/pay`)
    await acme.staff.post(`/invoices/${voided.id}/void`)
    for (const one of [paid, voided]) expect((await optionsOf(acme, one)).data.options).toEqual(NONE)
    const dollars = await made(acme, { currency: 'USD' })
    const { pix, bank_transfer } = (await optionsOf(acme, dollars)).data.options
    expect([pix, bank_transfer.reference]).toEqual([null, dollars.number])
  })
  it('404 for a draft, and for another organization; 403 without the scope', async () => {
    const other = await app.world.organization()
    const [invoice, hidden] = [await made(acme), await made(acme, { status: 'draft' })]
    expect((await optionsOf(acme, hidden)).status).toBe(404)
    expect((await acme.staff.get(`/invoices/${hidden.id}/payment-options`)).data.url).toBeNull()
    expect((await optionsOf(other, invoice)).status).toBe(404)
    const member = await acme.member({ scopes: ['quotes'] })
    expect((await member.get(`/invoices/${invoice.id}/payment-options`)).status).toBe(403)
  })
})

const linked = async (org: Organization, more: object = {}) => {
  const invoice = await made(org, more)
  return { invoice, token: tokenIn((await optionsOf(org, invoice)).data.url) }
}
const mailsAbout = async (org: Organization, id: number) =>
  (await org.staff.get(`/invoices/${id}/mails`)).data.map(({ kind, status }: { kind: string; status: string }) => [
    kind,
    status,
  ])

describe('the link of an invoice', () => {
  it('200 shows it to whoever has it, without ids', async () => {
    const { invoice, token } = await linked(acme)
    const { status, data } = await app.world.anonymous.get(`/public/invoices/${token}`)
    expect([status, data.number, data.customer, data.options.bank_transfer.reference]).toEqual([
      200,
      invoice.number,
      'Acme “Ünï” 🚀 <b>',
      invoice.number,
    ])
    expect(Object.keys(data).filter((name) => /(^|_)id$/.test(name))).toEqual([])
    const pdf = await app.world.anonymous.get(`/public/invoices/${token}/pdf`)
    expect([pdf.status, pdf.raw.headers['content-type']]).toEqual([200, 'application/pdf'])
  })
  it('404, the same, for a token of another invoice or none, and once the organization is deleted', async () => {
    const gone = await app.world.organization({ name: 'Gone' })
    const [one, ofGone] = [await linked(acme), await linked(gone)]
    const [org = '', , mac = ''] = one.token.split('.')
    const draftOf = await made(acme, { status: 'draft' })
    await gone.staff.post(`/invoices/${ofGone.invoice.id}/void`)
    expect((await gone.owner.delete(`/organizations/${gone.id}`)).status).toBe(200)
    const forged = [`${org}.${draftOf.id}.${mac}`, `${Number(org) + 1}.${one.invoice.id}.${mac}`, 'x', ofGone.token]
    for (const token of forged) {
      expect((await app.world.anonymous.get(`/public/invoices/${token}`)).status, token).toBe(404)
      expect((await app.world.anonymous.get(`/public/invoices/${token}/pdf`)).status, token).toBe(404)
      expect((await page(token)).statusCode, token).toBe(404)
    }
  })
  it('opens a page in both languages, with the code to scan, and says when it is paid', async () => {
    const { invoice, token } = await linked(acme)
    const [english, portuguese] = [await page(token), await page(token, 'pt-BR')]
    expect(english.body).toContain('How to pay')
    expect(portuguese.body).toContain('Como pagar')
    expect(english.body).toContain('<svg')
    expect(english.body).toContain('Acme “Ünï” 🚀 &lt;b&gt;')
    await acme.staff.post(`/invoices/${invoice.id}/pay`)
    const after = await page(token)
    expect(after.body).toContain('Thank you!')
    expect(after.body).not.toContain('How to pay')
  })
})

const mailOf = async (org: Organization, text: string) =>
  (await mailsTo(app, org.owner.email)).find(({ subject }) => subject.includes(text))
const namesIn = (mail: { attachments: string[] } | undefined) => mail?.attachments

describe('the mails about an invoice', () => {
  it('have the page, the Pix code, the account and the PDF; the receipt comes with the payment', async () => {
    const org = await app.world.organization({ name: 'Mailed', country: 'BR' })
    const { id } = await made(org, { status: 'draft' })
    await org.staff.post(`/invoices/${id}/finalize`)
    await app.service.worker.drain()
    const { data } = await optionsOf(org, { id })
    const mail = await mailOf(org, data.number)
    expect(mail?.text).toContain(data.url)
    expect(mail?.text).toContain(data.options.pix.copy_code)
    expect(mail?.text).toContain('67890-1')
    expect(namesIn(mail)).toEqual([expect.stringMatching(`${data.number}\\.pdf$`)])
    await org.staff.post(`/invoices/${id}/pay`)
    await app.service.worker.drain()
    const [payment] = (await org.owner.get(`/invoices/${id}/payments`)).data
    const receipt = await mailOf(org, 'Rec')
    expect(namesIn(receipt)).toEqual([expect.stringMatching(`-${payment.id}\\.pdf$`)])
    const pdf = await org.owner.get(`/payments/${payment.id}/receipt`)
    expect([pdf.status, pdf.raw.headers['content-type']]).toEqual([200, 'application/pdf'])
    const other = await app.world.organization()
    expect((await other.owner.get(`/payments/${payment.id}/receipt`)).status).toBe(404)
  })
  it('bring nothing to a contact who wants none', async () => {
    const org = await app.world.organization({ name: 'Bare', country: 'BR' })
    const contact = { role: 'billing', user_id: org.owner.userId, attachments: false }
    expect((await org.owner.post(`/organizations/${org.id}/contacts`, contact)).data).toMatchObject({
      attachments: false,
    })
    const { id, number } = await made(org, { status: 'draft' })
    await org.staff.post(`/invoices/${id}/finalize`)
    await app.service.worker.drain()
    expect(number).toBe(`DRAFT-${id}`)
    expect(namesIn(await mailOf(org, 'BR-'))).toEqual([])
  })
})

describe('staff of finances', () => {
  it('send it again and remind now; both are in the list of its mails', async () => {
    const org = await app.world.organization({ name: 'Again' })
    const { id } = await made(org)
    expect((await org.staff.post(`/invoices/${id}/send`)).status).toBe(202)
    expect((await org.staff.post(`/invoices/${id}/remind`)).status).toBe(202)
    await app.service.worker.drain()
    expect(await mailsAbout(org, id)).toEqual([
      ['invoice-reminder', 'sent'],
      ['invoice-open', 'sent'],
      // Of an order's invoice only.
      ['order-invoice-open', 'dropped'],
      ['invoice-open', 'sent'],
    ])
    const early = await org.staff.post(`/invoices/${id}/remind`)
    expect([early.status, early.errors?.reason]).toEqual([409, 'reminded_lately'])
    expect((await org.owner.post(`/invoices/${id}/remind`)).status).toBe(403)
  })
  it('409 once it is paid', async () => {
    const { id } = await made(acme)
    await acme.staff.post(`/invoices/${id}/pay`)
    for (const act of ['send', 'remind']) {
      const answer = await acme.staff.post(`/invoices/${id}/${act}`)
      expect([answer.status, answer.errors?.reason]).toEqual([409, 'status_not_allowed'])
    }
  })
})
