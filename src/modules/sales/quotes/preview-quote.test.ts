// Compares a preview with the records that acceptance and payment then create.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { buyerOf, DRAFT, draftQuote, LICENSE_LINE, sentQuote } from '#test/scenes/commerce.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization({ name: 'Açaí & “Cia” 🫐' })
const buyer = await buyerOf(acme)

const at = (id: number, act = '') => `/quotes/${id}${act}`
const preview = (id: number, who: Speaker = buyer) => who.post(at(id, '/preview'))

const LINES = [
  { ...LICENSE_LINE, discount: '7.77', tax_percent: '13.5', description: 'Nightly' },
  { ...LICENSE_LINE, entitlement_class: 'ENV', term_months: 1 },
  { ...LICENSE_LINE, entitlement_class: 'SVC', term_months: null },
  { ...LICENSE_LINE, entitlement_class: 'AFL', unit_price: '0' },
  { ...LICENSE_LINE, entitlement_class: 'ORD' },
  { ...LICENSE_LINE, entitlement_class: 'EDU' },
]

type Row = Record<string, unknown>
/** The fields of the record that the preview has. */
const likeness = (of: Row | null, record: Row | undefined): Row | null =>
  of && record ? Object.fromEntries(Object.keys(of).map((name) => [name, record[name]])) : null

const withoutCodes = (lines: Row[]) => lines.map((line) => ({ ...line, entitlement_code: null }))

/** Everything that a preview must not change. */
const count = () =>
  app.database.query(`select (select count(*) from orders) as orders, (select count(*) from invoices) as invoices,
    (select count(*) from events) as events, (select coalesce(sum(last), 0) from code_counters) as codes`)

describe('POST /quotes/{id}/preview', () => {
  it.each(['entity_br', 'entity_global'])('200 with what accepting creates, for %s', async (company) => {
    const more = { purchase_order: 'PO-9', notes: 'Thanks', affiliate_code: 'AFL-2026110001' }
    const id = await sentQuote(acme, { company, line_items: LINES, ...more })
    const previewed = (await preview(id)).data
    expect(previewed).toMatchObject({ quote_id: id, can_accept: true, reason: null })
    const { data } = await buyer.post(at(id, '/accept'))
    const order = (await buyer.get(`/orders/${data.order_id}`)).data
    expect({ ...likeness(previewed.order, order), line_items: withoutCodes(order.line_items) }).toEqual(previewed.order)
    const [invoice] = (await buyer.get(`/invoices/order/${data.order_id}`)).data
    expect(likeness(previewed.invoice, invoice)).toEqual(previewed.invoice)
    await acme.staff.post(`/invoices/${invoice.id}/pay`, {})
    await app.service.worker.drain()
    const rows = (table: string) =>
      app.database.query<Row>(
        `select h.* from ${table} h join entitlements e on e.organization_id = h.organization_id and e.id = h.entitlement_id
          where e.quote_id = $1`,
        [id],
      )
    const hanging = {
      license: await rows('licenses'),
      environment: await rows('environments'),
      service: await rows('services'),
      affiliate: await rows('affiliates'),
    }
    const entitlements = await app.database.query<Row>('select * from entitlements where quote_id = $1 order by id', [
      id,
    ])
    expect(entitlements).toHaveLength(LINES.length)
    const made = entitlements.map((entitlement, index) => {
      const { license, environment, service, affiliate, ...own } = previewed.entitlements[index]
      const hangs = Object.entries({ license, environment, service, affiliate }).map(([name, of]) => {
        const found = Object.entries(hanging).find(([kind]) => kind === name)?.[1]
        return [
          name,
          likeness(
            of,
            found?.find((one) => one['entitlement_id'] === entitlement['id']),
          ),
        ]
      })
      return { ...likeness(own, { ...entitlement, entitlement_code: null }), ...Object.fromEntries(hangs) }
    })
    const asJson: unknown = JSON.parse(JSON.stringify(made))
    expect(asJson).toEqual(previewed.entitlements)
    expect(Object.values(hanging).map((found) => found.length)).toEqual([1, 1, 1, 1])
  })
  it('of a new quote shows sales what it adds up to, and makes none', async () => {
    const sales = await acme.staffAs('sales')
    const before = await count()
    const { status, data } = await sales.post('/quotes?dry_run=true', { ...DRAFT, line_items: LINES })
    expect(status).toBe(200)
    expect(await count()).toEqual(before)
    const { total, subtotal, discount_total, tax_total } = await draftQuote(acme, { line_items: LINES })
    expect(data.records).toMatchObject([
      { resource: 'quote', resource_id: null, after: { total, subtotal, discount_total, tax_total } },
    ])
  })
  it('200 writes nothing and does not count as viewed', async () => {
    const id = await sentQuote(acme)
    const before = await count()
    const answers = [await preview(id), await preview(id)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await count()).toEqual(before)
    expect((await acme.staff.get(at(id))).data.status).toBe('sent')
  })
  it('200 with the reason why not: a draft, accepted, rejected, past its date, replaced', async () => {
    const draft = (await draftQuote(acme)).id
    const accepted = await sentQuote(acme)
    await buyer.post(at(accepted, '/accept'))
    const rejected = await sentQuote(acme)
    await buyer.post(at(rejected, '/reject'))
    const past = await sentQuote(acme)
    await app.database.query(`update quotes set valid_until = '2020-01-01' where id = $1`, [past])
    const replaced = await sentQuote(acme)
    const { data: next } = await acme.staff.post(at(replaced, '/revise'))
    await acme.staff.post(at(next.id, '/send'))
    for (const id of [draft, accepted, rejected, past, replaced]) {
      const { can_accept, reason } = (await preview(id, acme.staff)).data
      const answer = await acme.staff.post(at(id, '/accept'))
      expect({ can_accept, status: answer.status }).toEqual({ can_accept: false, status: 409 })
      expect(reason).toBe(answer.message)
      const portuguese = await acme.staff.post(at(id, '/preview'), undefined, { 'accept-language': 'pt-BR' })
      expect(portuguese.data.reason).not.toBe(reason)
    }
    expect((await preview(next.id)).data.can_accept).toBe(true)
  })
  it('404 for a draft and another organization’s, 403 without the scope', async () => {
    const id = await sentQuote(acme)
    const other = await app.world.organization()
    expect((await preview(id, other.owner)).status).toBe(404)
    expect((await preview((await draftQuote(acme)).id)).status).toBe(404)
    expect((await preview(id, await acme.member({ scopes: ['orders'] }))).status).toBe(403)
  })
})
