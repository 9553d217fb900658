// What tickets are about beyond ENV entitlements: other classes, an invoice, an order, nothing in particular.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'
import { openInvoice } from '#test/scenes/paid-invoices.ts'
import { promised } from '#test/scenes/service-levels.ts'
import { subjects } from '#test/scenes/tickets.ts'
import { sentenceIn } from '#texts/answers/sentences.ts'

const app = await appOfFile({ environment: { TICKET_CLASSES: 'ENV, SVC,none' } })
const acme = await app.world.organization()
const sold = await subjects(app, acme)
const other = await app.world.organization()
const invoice_id = await openInvoice(app, acme, { withOrder: true })
const [ordered] = await app.database.query<{ order_id: number }>('select order_id from invoices where id = $1', [
  invoice_id,
])
const order_id = ordered?.order_id ?? 0
const payer = await acme.member({ scopes: ['tickets', 'finances', 'orders'] })
const agent = await acme.member({ scopes: ['tickets', 'organization'] })
const supporter = app.world.inside(await app.world.user({ roles: ['customer', 'support'] }), acme.id)

const open = (body: object, by: Speaker = payer) =>
  by.post('/tickets', { title: 'Qual o “código” do Pix? 🧾', ...body })
const about = { invoice_id, order_id: null, entitlement_id: null, entitlement_code: null, environment_id: null }

describe('POST /tickets', () => {
  it('201 about an invoice, an order, and nothing in particular, without service levels', async () => {
    await promised(acme, { sla_first_response_minutes: { normal: 60 } })
    const one = await open({ invoice_id })
    expect([one.status, one.data]).toEqual([
      201,
      expect.objectContaining({
        ...about,
        first_response_due_at: null,
        resolution_due_at: null,
        entitlement_problem: null,
      }),
    ])
    expect((await open({ order_id })).data).toMatchObject({ ...about, invoice_id: null, order_id })
    expect((await open({})).data).toMatchObject({ ...about, invoice_id: null })
    expect((await open({ invoice_id }, acme.staff)).data).toMatchObject(about)
  })
  it('201 for each class that is open, also by its service; 409 names what is open for the others', async () => {
    expect((await open({ service_id: sold.service })).data).toMatchObject({ entitlement_id: sold.project })
    const refused = await open({ entitlement_id: sold.license })
    expect([refused.status, refused.errors?.reason]).toEqual([409, 'tickets_not_open'])
    expect(refused.message).toBe(
      'customers open tickets about invoices, orders or nothing in particular, and about entitlements of class ' +
        'ENV, SVC',
    )
    expect(sentenceIn('pt-BR', refused.message ?? '')).toBe(
      'clientes abrem chamados sobre faturas, pedidos ou nada em particular, e sobre contratações de classe ENV, SVC',
    )
    expect((await open({ entitlement_id: sold.license }, acme.staff)).status).toBe(201)
  })
  it('403 without the scope that reading the invoice or the order needs, of customers and of staff', async () => {
    for (const by of [agent, supporter]) {
      expect((await open({ invoice_id }, by)).message).toBe('Scope not authorized: finances')
      expect((await open({ order_id }, by)).message).toBe('Scope not authorized: orders')
      expect((await open({}, by)).status).toBe(201)
    }
  })
  it('404 for those of another organization, unknown ones and drafts; 422 for two subjects', async () => {
    expect((await open({ invoice_id }, other.owner)).status).toBe(404)
    expect((await open({ order_id }, other.owner)).status).toBe(404)
    expect((await open({ order_id: 999_999_999 })).status).toBe(404)
    const draft = await acme.staff.post('/invoices', {
      company: 'entity_br',
      currency: 'BRL',
      line_items: [{ product_name: 'Later', quantity: 1, unit_price: '1.00' }],
    })
    expect([draft.status, draft.data.status]).toEqual([201, 'draft'])
    expect((await open({ invoice_id: draft.data.id })).status).toBe(404)
    expect((await open({ invoice_id, order_id })).errors?.fields).toEqual({
      order_id: 'cannot be given beside invoice_id',
    })
    expect((await open({ environment_id: sold.environment, invoice_id })).errors?.fields).toEqual({
      invoice_id: 'cannot be given beside environment_id',
    })
    expect((await open({ invoice_id: '1' })).errors?.fields).toHaveProperty('invoice_id')
  })
  it('201 with another priority and comments afterwards, as for every other ticket', async () => {
    const { data } = await open({ invoice_id })
    expect((await payer.patch(`/tickets/${data.id}`, { priority: 'urgent' })).data).toMatchObject({
      ...about,
      first_response_due_at: null,
    })
    expect((await acme.staff.post(`/tickets/${data.id}/comments`, { body: 'Here' })).status).toBe(201)
    const lineage = await payer.get(`/lineage?ticket=${data.number}`)
    expect([lineage.status, lineage.data]).toEqual([200, []])
  })
})

describe('what a ticket is about', () => {
  it('is shown to those only who may read it there, and found by them only', async () => {
    const { data } = await open({ invoice_id })
    const path = `/tickets/${data.id}`
    const hidden = { id: data.id, invoice_id: null }
    for (const by of [agent, supporter]) {
      expect((await by.get(path)).data).toMatchObject(hidden)
      expect((await by.get('/tickets')).data).toContainEqual(expect.objectContaining(hidden))
      expect((await by.get(`/tickets?invoice_id=${invoice_id}`)).meta?.total).toBe(0)
      expect((await by.patch(path, { title: 'Pix' })).data).toMatchObject(hidden)
      expect((await by.get(`${path}?expand=invoice`)).status).toBe(403)
    }
    expect((await supporter.get('/admin/tickets')).data[0].invoice_id).toBeNull()
    expect((await payer.get(path)).data).toMatchObject({ invoice_id })
    expect((await payer.get(`${path}?expand=invoice`)).data.expanded.invoice.id).toBe(invoice_id)
    const found = await payer.get(`/tickets?invoice_id=${invoice_id}`)
    expect(found.data.map(({ id }: { id: number }) => id)).toContain(data.id)
    expect((await acme.staff.get(`/admin/tickets?invoice_id=${invoice_id}`)).meta?.total).toBe(found.meta?.total)
    expect((await payer.get(`/tickets?order_id=${order_id}`)).meta?.total).toBe(1)
  })
  it('is in no event and no audit entry', async () => {
    const { data } = await open({ invoice_id })
    const { data: feed } = await agent.get('/events?resource=ticket&per_page=100')
    const [event] = feed.events.filter((one: { resource_id: number }) => one.resource_id === data.id)
    expect(event.data).not.toHaveProperty('invoice_id')
    const rows = await app.database.query<{ row: object }>(
      `select to_jsonb(a) as row from audit_log a where resource = 'ticket' and resource_id = $1
       union all select to_jsonb(e) from events e where resource = 'ticket' and resource_id = $1`,
      [data.id],
    )
    expect(rows.length).toBeGreaterThan(1)
    expect(JSON.stringify(rows)).not.toMatch(new RegExp(`"invoice_id": ?"?${invoice_id}\\b`))
  })
})

describe('with the rule of the specification', async () => {
  const strict = await appOfFile()
  it('409 for an invoice, an order and other classes, 422 for nothing, and each says what is open', async () => {
    const vendor = await strict.world.organization()
    const { license } = await subjects(strict, vendor)
    const its = await openInvoice(strict, vendor)
    for (const named of [{ invoice_id: its }, { order_id: 1 }, { entitlement_id: license }]) {
      const refused = await open(named, vendor.owner)
      expect([refused.status, refused.errors?.reason]).toEqual([409, 'tickets_not_open'])
      expect(refused.message).toBe('customers open tickets about entitlements of class ENV')
    }
    expect((await open({}, vendor.owner)).errors?.fields).toEqual({
      entitlement_id: 'is required: customers open tickets about entitlements of class ENV',
    })
    expect((await open({ invoice_id: its }, vendor.staff)).status).toBe(201)
    expect((await open({}, vendor.staff)).status).toBe(201)
  })
})
