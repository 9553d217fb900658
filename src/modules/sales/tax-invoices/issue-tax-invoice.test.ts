// Tax invoices from the payment to the authority's answer, and their routes.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { eventually, deadLetters } from '#test/scenes/commerce.ts'
import { mailsTo } from '#test/harness/mailbox.ts'
import { lineOf, openInvoice, paidInvoice, payInvoice } from '#test/scenes/paid-invoices.ts'
import { type TaxAuthorityStandIn, taxAuthorityStandIn, PROFILE } from '#test/stand-ins/tax-authority.ts'
import type { Answer, Organization, Speaker } from '#test/harness/world.ts'

let app: TestApp
let authority: TaxAuthorityStandIn
let acme: Organization
let clerk: Speaker

beforeAll(async () => {
  authority = taxAuthorityStandIn()
  const environment = { ENTITY_BR_TAX_ID: '12.abc.345/01de-35', ENTITY_BR_NAME: 'Vendor Ltda' }
  app = await startApp({ ports: { taxAuthority: authority }, environment })
  acme = await app.world.organization()
  clerk = await acme.member({ scopes: ['finances'] })
})
beforeEach(() => authority.reset())
afterAll(() => app.close())

const work = () => app.service.worker.drain()

/** The tax invoices of an invoice, oldest first. */
async function ofInvoice(id: number): Promise<Answer['data'][]> {
  const rows = await app.database.query<{ id: number }>(
    'select id from tax_invoices where invoice_id = $1 order by id',
    [id],
  )
  return Promise.all(rows.map(async (row) => (await clerk.get(`/tax-invoices/${row.id}`)).data))
}
const oneOf = async (id: number): Promise<Answer['data']> => (await ofInvoice(id))[0]

describe('the payment of an invoice of entity_br', () => {
  it('issues its tax invoice, once, with all values of the authority’s answer', async () => {
    const invoice = await paidInvoice(app, acme, { withOrder: true })
    await work()
    const [found, ...more] = await ofInvoice(invoice)
    expect(more).toEqual([])
    const key = expect.stringMatching(/^\d{50}$/)
    expect(found).toMatchObject({
      status: 'issued',
      substatus: null,
      total: '150.00',
      currency: 'BRL',
      series: '1',
      service_code: '010501',
      competence: '2025-11-20',
      iss_rate: '2.00',
      iss_amount: '3.00',
      issued_at: '2026-11-20T12:00:00.000Z',
      access_key: key,
      net_total: '150.00',
      consultation_url: `https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=${found.access_key}`,
      error_code: null,
      error_explanation: null,
      organization_id: acme.id,
      invoice_id: invoice,
      external_id: null,
      metadata: {},
    })
    expect(found.nfse_number).toMatch(/^1\d{3}$/)
    expect(found.line_items).toHaveLength(1)
    const { tax_link } = (await clerk.get(`/invoices/${invoice}`)).data
    expect(tax_link).toBe(`http://127.0.0.1:3000/api/v1/tax-invoices/${found.id}/pdf`)
    expect(authority.calls).toEqual([`issue DPS-1-${found.rps_number}`])
    const listed = await clerk.get('/tax-invoices?status=issued')
    expect(listed.data[0]).toEqual({
      id: found.id,
      status: 'issued',
      nfse_number: found.nfse_number,
      total: '150.00',
      currency: 'BRL',
      issued_at: found.issued_at,
      order_id: found.order_id,
      created_at: found.created_at,
      updated_at: found.updated_at,
      external_id: null,
      metadata: {},
    })
    expect((await clerk.get(`/tax-invoices/order/${found.order_id}`)).data).toEqual([listed.data[0]])
  })
  it('declares provider, recipient, amount and description as they are on that day', async () => {
    const org = await app.world.organization()
    await app.database.query(
      `update organizations set legal_name = 'Ácme "Ltda" & Filhos', cnpj = '11222333000181', email = 'a@acme.example',
              tax_email = 'nfe@acme.example', address = 'Rua Augusta', address_number = '1500', neighborhood = 'Centro',
              city = 'São Paulo', state = 'SP', ibge_code = '3550308', zipcode = '01304-001', country = 'Brasil',
              municipal_registration = '123', tax_param1 = 'one' where id = $1`,
      [org.id],
    )
    const id = await openInvoice(app, org)
    await app.database.query(`update invoices set purchase_order = 'PO-2026-0042' where id = $1`, [id])
    await payInvoice(org, id, '2025-12-01T02:30:00.000Z')
    await work()
    expect(authority.declared[0]).toMatchObject({
      purchaseOrder: 'PO-2026-0042',
      // Half past eleven at night, the day before, in São Paulo.
      competence: '2025-11-30',
      provider: { taxId: '12ABC34501DE35', name: 'Vendor Ltda' },
      amount: '150.00',
      service: { national: '010501', iss_rate: '2.00' },
      replaces: null,
      recipient: {
        name: 'Ácme "Ltda" & Filhos',
        taxId: '11222333000181',
        foreignTaxId: null,
        municipalRegistration: '123',
        email: 'nfe@acme.example',
        address: {
          street: 'Rua Augusta',
          number: '1500',
          complement: null,
          cityCode: '3550308',
          zipcode: '01304001',
          country: 'BR',
        },
        parameters: ['one', null, null, null, null],
      },
    })
    expect(authority.declared[0]?.description).toMatch(
      /^Licenciamento de software – 1 × Backup “Pró” 🚀 <b>& – Fatura TEST-/,
    )
  })
  it('creates one for each service code, and their amounts add up to the invoice’s', async () => {
    const lines = [lineOf('PLG', '33.33'), lineOf('ENV', '33.33'), lineOf('SVC', '33.33')]
    // One cent more than the lines.
    const invoice = await paidInvoice(app, acme, { total: '100.00', lines })
    await work()
    const found = await ofInvoice(invoice)
    expect(found.map(({ service_code, total }) => [service_code, total])).toEqual([
      ['010501', '66.67'],
      ['010301001', '33.33'],
    ])
    expect(found.map(({ line_items }) => line_items.length)).toEqual([2, 1])
    expect(new Set(found.map(({ rps_number }) => rps_number)).size).toBe(2)
  })
  it('issues nothing for entity_global, for an amount of 0, or twice for the same event', async () => {
    const foreign = await paidInvoice(app, acme, { company: 'entity_global', currency: 'USD' })
    const free = await paidInvoice(app, acme, { total: '0.00' })
    const paid = await paidInvoice(app, acme)
    const again = `insert into jobs (organization_id, kind, payload)
      values ($1, 'tax-invoices/open', jsonb_build_object('resource_id', $2::bigint))`
    for (let times = 0; times < 3; times++) await app.database.query(again, [acme.id, paid])
    await work()
    expect(await ofInvoice(foreign)).toEqual([])
    expect(await ofInvoice(free)).toEqual([])
    expect(await ofInvoice(paid)).toHaveLength(1)
    await app.database.query(again, [acme.id, paid])
    await work()
    expect(await ofInvoice(paid)).toHaveLength(1)
    expect(await deadLetters(app)).toEqual([])
  })
  it('becomes a dead letter in another currency, which cannot be declared', async () => {
    const invoice = await paidInvoice(app, acme, { currency: 'USD' })
    await work()
    expect(await ofInvoice(invoice)).toEqual([])
    const [letter, ...more] = await deadLetters(app)
    expect(letter).toMatchObject({ kind: 'tax-invoices/open', last_error: expect.stringContaining('USD') })
    expect(more).toEqual([])
    await app.database.query('delete from jobs where dead_at is not null')
  })
  it('leaves no gaps in the numbers, with many at once', async () => {
    const before = (await numbers()).at(-1) ?? 0
    const ids = await Promise.all(Array.from({ length: 8 }, () => openInvoice(app, acme)))
    await Promise.all(ids.map((id) => payInvoice(acme, id)))
    await work()
    expect((await numbers()).slice(-8)).toEqual(Array.from({ length: 8 }, (_, index) => before + index + 1))
  })
  it('leaves an error that says what to do when there is no fiscal profile; a later retry issues it', async () => {
    authority.profile = { ...PROFILE, valid_from: '2027-01-01' }
    const invoice = await paidInvoice(app, acme, { lines: [lineOf('PLG', '100.00'), lineOf('ENV', '50.00')] })
    await work()
    const failed = await oneOf(invoice)
    expect(failed).toMatchObject({ status: 'error', substatus: 'undeclarable', error_code: 'NO_FISCAL_PROFILE' })
    expect(failed.error_message).toContain('valid_from')
    expect((await acme.staff.post(`/tax-invoices/${failed.id}/retry`)).status).toBe(409)
    authority.profile = PROFILE
    expect((await acme.staff.post(`/tax-invoices/${failed.id}/retry`)).status).toBe(200)
    await work()
    const found = await ofInvoice(invoice)
    expect(found.map(({ status, service_code, total }) => [status, service_code, total])).toEqual([
      ['issued', '010501', '100.00'],
      ['issued', '010301001', '50.00'],
    ])
    expect(found[0].rps_number).toBe(failed.rps_number)
  })
  it('mails only the members with the scope finances, in their language', async () => {
    const org = await app.world.organization()
    const member = await org.member({ scopes: ['finances'] })
    const seller = await org.member({ scopes: ['quotes'] })
    await app.database.query(`update users set language = 'en' where id = $1`, [member.userId])
    await app.database.query(`update users set language = 'pt-BR' where id = $1`, [org.owner.userId])
    await paidInvoice(app, org)
    await work()
    const papers = [expect.stringMatching(/^DANFSe-.*pdf$/), expect.stringMatching(/^NFSe-.*xml$/)]
    const [english, portuguese] = [await mailsTo(app, member.email), await mailsTo(app, org.owner.email)]
    expect(english).toContainEqual(expect.objectContaining({ subject: IN_ENGLISH, attachments: papers }))
    expect(portuguese).toContainEqual(expect.objectContaining({ subject: IN_PORTUGUESE, attachments: papers }))
    expect(await mailsTo(app, seller.email)).toEqual([])
  })
})

const IN_ENGLISH = expect.stringMatching(/^Tax invoice 1\d{3} from /)
const IN_PORTUGUESE = expect.stringMatching(/^Nota fiscal 1\d{3} de /)

const numbers = async (): Promise<number[]> =>
  (await app.database.query<{ rps_number: number }>('select rps_number from tax_invoices order by rps_number')).map(
    ({ rps_number }) => rps_number,
  )

describe('GET /tax-invoices/{id}/xml', () => {
  it('200 with the authority’s bytes; 409 before there are any', async () => {
    const invoice = await paidInvoice(app, acme)
    authority.script.issue = ['away']
    await work()
    const { id } = await oneOf(invoice)
    expect((await clerk.get(`/tax-invoices/${id}/xml`)).status).toBe(409)
    const found = await eventually(
      app,
      () => oneOf(invoice),
      ({ status }) => status === 'issued',
    )
    const answer = await clerk.get(`/tax-invoices/${id}/xml`)
    expect(answer.status).toBe(200)
    expect(answer.headers['content-type']).toBe('application/xml')
    expect(answer.headers['content-disposition']).toContain(`NFSe-${found.access_key}.xml`)
    const [sent] = [...authority.issued.values()].filter(({ accessKey }) => accessKey === found.access_key)
    expect(answer.data.equals(Buffer.from(sent?.xml ?? '', 'utf8'))).toBe(true)
  })
  it('is the only place of the signed documents: no list, detail, event or audit entry has them', async () => {
    const { id } = await (async () => {
      const invoice = await paidInvoice(app, acme)
      await work()
      return oneOf(invoice)
    })()
    for (const path of ['/tax-invoices', `/tax-invoices/${id}`, '/audit-log?resource=tax_invoice'])
      expect((await acme.owner.get(path)).raw.body, path).not.toMatch(/<NFSe|<DPS/)
    const events = await app.database.query<{ data: object }>(`select data from events where resource = 'tax_invoice'`)
    expect(events.length).toBeGreaterThan(2)
    expect(JSON.stringify(events)).not.toMatch(/<NFSe|<DPS/)
  })
})
