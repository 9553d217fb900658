// `expand`: related records in the same answer, for those who may read them.
import { describe, expect, it } from 'vitest'
import { routes } from '../modules.ts'
import { appOfFile } from '#test/harness/app.ts'
import { createRecords, type Records } from '#test/scenes/records.ts'
import { entitlement, license } from '#test/scenes/licenses.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import type { Speaker } from '#test/harness/world.ts'
import { staff } from '#kernel/values/permissions.ts'
import { expansionOf } from '#http/features/expand.ts'
import { propertiesOf } from '#http/features/sparse-fields.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const records: Records = await createRecords(app, acme)

const get = async (path: string, by: Speaker = acme.owner) => (await by.get(path)).data

const expandable = routes.flatMap((route) => {
  const expansion = expansionOf(route, routes)
  return expansion ? [{ route, expansion, path: route.path }] : []
})

describe('the relations', () => {
  it('name fields of the records that have them', () => {
    const wrong = expandable.flatMap(({ route, path }) => {
      const fields = propertiesOf(route.page ?? route.data) ?? {}
      return Object.values(route.features.record?.relations ?? {}).flatMap(({ by }) =>
        (by.split('.')[0] ?? '') in fields ? [] : [`${path}: ${by}`],
      )
    })
    expect(wrong).toEqual([])
    expect(expandable.length).toBeGreaterThan(25)
  })

  it('lead to no record whose own endpoint asks nothing of members', () => {
    const [quote] = expandable.filter(({ path }) => path === '/quotes/{id}')
    const ofStaff = routes.map((one) => (one.path === '/orders/{id}' ? { ...one, access: staff('orders') } : one))
    expect(() => quote && expansionOf(quote.route, ofStaff)).toThrow('order is no record of members')
  })

  it.each(expandable.filter(({ path }) => !path.includes('{')))('$path gives each of them in its list', async (one) => {
    for (const name of one.expansion.names) {
      const answer = await acme.staff.get(`${one.path}?expand=${name}`)
      expect([answer.status, answer.errors], name).toEqual([200, null])
      for (const { expanded } of answer.data) expect(Object.keys(expanded)).toEqual([name.split('.')[0]])
    }
  })
})

describe('GET with expand', () => {
  it('gives the related records as their own endpoints do, by ids, lists of ids, and over two hops', async () => {
    const invoice = await get(`/invoices/${records['invoices']}?expand=order.quote,credit_notes,organization`)
    const { order, credit_notes, organization } = invoice.expanded
    expect(order.expanded.quote).toEqual(await get(`/quotes/${records['quotes']}`))
    const { expanded: _expanded, ...plain } = order
    expect(plain).toEqual(await get(`/orders/${records['orders']}`))
    expect(credit_notes).toEqual([await get(`/credit-notes/${records['credit-notes']}`)])
    expect(organization).toEqual(await get(`/organizations/${acme.id}`))
    expect((await get(`/invoices/${records['invoices']}`)).expanded).toBeUndefined()
  })

  it('is null where there is none, and goes with fields and cursors', async () => {
    const { id } = await entitlement(acme)
    const one = await get(`/entitlements/${id}?expand=order&fields=id`)
    expect(one).toEqual({ id, expanded: { order: null } })
    const listed = await acme.owner.get('/entitlements?expand=order,organization&cursor=first&per_page=1&fields=id')
    expect(listed.data).toMatchObject([{ id, expanded: { order: null, organization: { id: acme.id } } }])
    const next = await acme.owner.get(`/entitlements?per_page=1&cursor=${listed.meta?.next_cursor}&expand=quote`)
    expect(next.status).toBe(200)
  })

  it('asks one statement for each relation, however many records there are', async () => {
    for (let made = 0; made < 5; made++) await license(acme)
    const { database } = app.service
    const { read } = database
    let asked = 0
    database.read = (role, statements) => {
      asked += statements.length
      return read(role, statements)
    }
    const statements = async (path: string) => {
      asked = 0
      expect((await acme.owner.get(path)).status).toBe(200)
      return asked
    }
    const of = [
      await statements('/licenses?expand=entitlement'),
      await statements('/licenses?expand=entitlement&per_page=1'),
    ]
    const plain = await statements('/licenses')
    database.read = read
    expect(of).toEqual([plain + 2, plain + 2])
  })

  it.each([
    ['nothing', 'the record has no relation nothing'],
    ['', 'the record has no relation '],
    ['order,order.nothing', 'the record has no relation order.nothing'],
    ['order.quote.order', 'the record has no relation order.quote.order'],
    ['order.organization.parent', 'the record has no relation'],
    ['constructor', 'the record has no relation constructor; it has organization, order'],
  ])('422 for %s', async (expand, problem) => {
    const { status, errors } = await acme.owner.get(`/invoices?expand=${expand}`)
    expect([status, errors?.fields?.['expand']]).toEqual([422, expect.stringContaining(problem)])
  })

  it('403 without the scope of a related record, also on the second hop; none is read then', async () => {
    const clerk = await acme.member({ scopes: ['finances', 'orders'] })
    const path = `/invoices/${records['invoices']}`
    expect((await clerk.get(`${path}?expand=order`)).status).toBe(200)
    for (const expand of ['order.quote', 'organization', 'order,order.organization']) {
      const { status, errors, message } = await clerk.get(`${path}?expand=${expand}`)
      expect([status, errors?.reason], expand).toEqual([403, 'scope_missing'])
      expect(message).toMatch(/^Scope not authorized: (quotes|organization), which expand=/)
    }
    const support = await acme.staffAs('support')
    const entitled = `/entitlements/${records['entitlements']}`
    expect((await support.get(`${entitled}?expand=organization`)).status).toBe(200)
    expect((await support.get(`${entitled}?expand=order`)).status).toBe(403)
  })

  it('changes nothing by a request that is refused: a quote is viewed only where its relations are read', async () => {
    const id = await sentQuote(acme)
    const [clerk, buyer] = [
      await acme.member({ scopes: ['quotes'] }),
      await acme.member({ scopes: ['quotes', 'orders'] }),
    ]
    const path = `/quotes/${id}?expand=order`
    const statusOf = async () => (await get(`/quotes/${id}`, acme.staff)).status
    expect([(await clerk.get(path)).status, await statusOf()]).toEqual([403, 'sent'])
    const { status, data } = await buyer.get(path)
    expect([status, data.status, data.expanded]).toEqual([200, 'viewed', { order: null }])
    expect(await statusOf()).toBe('viewed')
  })

  it('never leads to another organization, and hides what the caller does not see', async () => {
    const other = await app.world.organization()
    const theirs = await createRecords(app, other)
    await app.database
      .query('update refunds set payment_id = null, order_id = $1 where id = $2', [
        theirs['orders'],
        records['refunds'],
      ])
      .catch(() => {})
    const refund = await get(`/refunds/${records['refunds']}?expand=order`)
    expect(refund.expanded.order?.organization_id ?? acme.id).toBe(acme.id)
    await app.database.query(`update quotes set status = 'draft' where id = $1`, [records['quotes']])
    const path = `/orders/${records['orders']}?expand=quote`
    expect((await get(path)).expanded).toEqual({ quote: null })
    expect((await get(path, acme.staff)).expanded.quote).toMatchObject({ status: 'draft' })
  })
})
