// An act needs the permissions of everything that it does, whoever does it and by whatever route.
import { describe, expect, it } from 'vitest'
import { AREAS, routes } from '../../src/modules.ts'
import { needsOf, org, type Scope, staff, staffScopesOf } from '#kernel/values/permissions.ts'
import { STAFF_SCOPE_NAMES, type StaffPermission } from '#kernel/values/staff-roles.ts'
import { route } from '#http/route.ts'
import { appOfFile } from '#test/harness/app.ts'
import { FOLLOWS, problemWith } from '#test/harness/composed-acts.ts'
import type { Speaker } from '#test/harness/world.ts'
import { acceptedQuote, buyerOf, sentQuote } from '#test/scenes/commerce.ts'
import { apiKey } from '#test/scenes/records.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const buyer = await buyerOf(acme)

const tables = AREAS.flatMap(({ published }) => published)

describe('what the events of a table need', () => {
  it('is at least what reading the record needs, of staff and of members', () => {
    const less = tables.flatMap(({ table, scopes }) =>
      Object.entries(table.needs).flatMap(([event, access]) => [
        ...scopes.filter((scope) => !staffScopesOf(access)?.includes(scope)).map((scope) => `staff: ${event} ${scope}`),
        ...scopes.filter((scope) => !needsOf(access).scopes.includes(scope)).map((scope) => `${event} ${scope}`),
      ]),
    )
    // The specification: an order is cancelled with the scope orders, and what is open of it is owed by nobody.
    expect(less).toEqual(['titular/invoice/voided finances'])
  })
  it('is asked for where money goes back or is given up', () => {
    const asked = tables.flatMap(({ table }) => Object.keys(table.needs)).toSorted()
    expect(asked).toEqual([
      'titular/credit_note/created',
      'titular/invoice/reopened',
      'titular/invoice/uncollectible',
      'titular/invoice/voided',
      'titular/order/cancelled',
      'titular/payment/created',
      'titular/payment/moved',
      'titular/refund/created',
      'titular/tax_invoice/cancelled',
      'titular/tax_invoice/cancelling',
      'titular/tax_invoice/substituting',
    ])
  })
})

const closing = (access: Parameters<typeof route>[0]['access']) =>
  route({
    method: 'POST',
    path: '/tickets/{id}/close',
    access,
    purpose: 'x',
    run: async () => ({ data: null }),
  } as never)

describe('what the tests see of each request', () => {
  it('is reported where a route writes records of other scopes without a reason', () => {
    for (const access of [staff('tickets'), org('tickets')])
      expect(problemWith(closing(access), { resource: 'contract', action: 'cancelled' })).toMatch('contracts')
    expect(problemWith(closing(staff('tickets')), { resource: 'quote', action: 'cancelled' })).toMatch('quotes')
    expect(
      problemWith(closing(staff('tickets', 'contracts')), { resource: 'contract', action: 'cancelled' }),
    ).toBeNull()
  })
  it('has reasons for records and scopes that exist', () => {
    for (const [event, { after }] of Object.entries(FOLLOWS)) {
      expect(tables.map(({ table }) => table.resource)).toContain(event.split('/')[0])
      expect(after.filter((scope) => !STAFF_SCOPE_NAMES.some((name) => name === scope))).toEqual([])
    }
    expect(routes.length).toBeGreaterThan(500)
  })
})

type Sale = Awaited<ReturnType<typeof acceptedQuote>>

/** Paid by hand; the jobs that deliver have not run yet. */
async function paid(): Promise<Sale> {
  const sale = await acceptedQuote(app, acme, buyer)
  expect((await acme.staff.post(`/invoices/${sale.invoice_id}/pay`)).status).toBe(200)
  expect((await acme.staff.get(`/orders/${sale.order_id}`)).data.status).toBe('processing')
  return sale
}

const cancelQuote = ({ quote_id }: Sale) => ['POST', `/quotes/${quote_id}/cancel`, undefined] as const
const cancelOrder = ({ order_id }: Sale) => ['POST', `/orders/${order_id}/cancel`, undefined] as const
const setStatus = ({ order_id }: Sale) => ['POST', `/orders/${order_id}/status`, { status: 'cancelled' }] as const

const keyOfVendor = async (...permissions: StaffPermission[]) =>
  app.world.inside(await vendorKey(app, { permissions }), acme.id)
const keyOfCustomer = async (...scopes: Scope[]) =>
  app.world.speaker(
    { ...(await apiKey(app, acme, { permission: 'read_write', scopes })), 'x-service-organization': String(acme.id) },
    acme.owner,
  )

const READS: StaffPermission[] = ['orders:read', 'quotes:read', 'finances:read']

const callers: [
  string,
  (sale: Sale) => readonly [string, string, object | undefined],
  () => Promise<Speaker>,
  string,
][] = [
  ['sales, of a quote', cancelQuote, () => acme.staffAs('sales'), 'orders:write'],
  ['a key of the vendor for quotes', cancelQuote, () => keyOfVendor('quotes:write', ...READS), 'orders:write'],
  [
    'a key for quotes and orders',
    cancelQuote,
    () => keyOfVendor('quotes:write', 'orders:write', ...READS),
    'finances:write',
  ],
  ['a key of the vendor for orders', cancelOrder, () => keyOfVendor('orders:write', ...READS), 'finances:write'],
  ['a key of the vendor, by the status', setStatus, () => keyOfVendor('orders:write', ...READS), 'finances:write'],
  ['a member', cancelOrder, () => acme.member({ scopes: ['orders', 'quotes'] }), 'finances'],
  ['an admin', cancelOrder, () => acme.member({ role: 'admin', scopes: ['orders'] }), 'finances'],
  ['a key of the customer', cancelOrder, () => keyOfCustomer('orders'), 'finances'],
]

describe('403 for whoever lacks what is needed to cancel what was paid', () => {
  it.each(callers)('%s', async (_, act, speaker, missing) => {
    const sale = await paid()
    const who = await speaker()
    const [method, path, body] = act(sale)
    const ask = (url: string) => who.post(url, body)
    const plain = await ask(path)
    const dry = await ask(`${path}?dry_run=true`)
    for (const { status, errors, message } of [plain, dry]) {
      expect([status, errors?.code, errors?.reason]).toEqual([403, 'AUTHORIZATION_ERROR', 'scope_missing'])
      expect(message).toMatch(`Scope not authorized: ${missing}`)
    }
    const bulk = await who.post('/bulk', { operations: [{ method, path, ...(body && { body }) }] })
    expect(bulk.data.results.map(({ status }: { status: number }) => status)).toEqual([403])
    expect((await acme.staff.get(`/orders/${sale.order_id}`)).data.status).toBe('processing')
    expect((await acme.staff.get(`/quotes/${sale.quote_id}`)).data.status).toBe('paid')
    expect((await acme.staff.get(`/refunds?order_id=${sale.order_id}`)).data).toEqual([])
  })
})

describe('200', () => {
  it('for whoever has all of it', async () => {
    const finance = await acme.staffAs('finance')
    const orders = await acme.member({ scopes: ['orders', 'finances'] })
    const both = await acme.staffAs('finance', 'sales')
    for (const [who, act] of [
      [finance, cancelOrder],
      [finance, setStatus],
      [orders, cancelOrder],
      [both, cancelQuote],
    ] as const) {
      const sale = await paid()
      const [, path, body] = act(sale)
      expect((await who.post(path, body)).status).toBe(200)
      expect((await acme.staff.get(`/refunds?order_id=${sale.order_id}`)).data).toHaveLength(1)
    }
  })
  it('for a member with the scope orders while nothing was paid, and for sales while there is no order', async () => {
    const sale = await acceptedQuote(app, acme, buyer)
    const sales = await acme.staffAs('sales')
    expect((await sales.post(`/quotes/${sale.quote_id}/cancel`)).status).toBe(403)
    expect((await sales.post(`/quotes/${await sentQuote(acme)}/cancel`)).status).toBe(200)
    const member = await acme.member({ scopes: ['orders'] })
    expect((await member.post(`/orders/${sale.order_id}/cancel`)).status).toBe(200)
    expect((await acme.staff.get(`/invoices/${sale.invoice_id}`)).data.status).toBe('void')
  })
})
