// A sale inserted into the tables, and its settlement as a job would do it, for tests of payments and refunds.
import { eventConsumers } from '#kernel/data/events.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { SYSTEM_CALLER } from '#kernel/access/transactions.ts'
import type { TestApp } from '#test/harness/app.ts'
import { FIXED } from './commerce.ts'
import { lineOf } from './paid-invoices.ts'
import type { Organization } from '#test/harness/world.ts'

type Row = Record<string, unknown>
type Values = { quote?: Row; order?: Row; invoice?: Row; refund?: Row }
export type Sale = { quote: number; order: number; invoice: number; refund: number; entitlement: number }

let next = 1

export function settlingAt(app: TestApp, { id: organization_id }: Organization) {
  async function add(table: string, values: Row): Promise<number> {
    const row = { organization_id, ...values }
    const places = Object.keys(row).map((_, index) => `$${index + 1}`)
    const [added] = await app.database.query<{ id: number }>(
      `insert into ${table} (${Object.keys(row).join(', ')}) values (${places.join(', ')}) returning id`,
      Object.values(row),
    )
    return added?.id ?? 0
  }
  return {
    add,
    /** An accepted quote of 150.00 BRL with an open invoice. */
    async sale({ quote = {}, order = {}, invoice = {}, refund }: Values = {}): Promise<Sale> {
      const number = `S-${next++}`
      const line_items = JSON.stringify([lineOf('PLG', '150.00')])
      const money = { company: 'entity_br', currency: 'BRL', subtotal: '150.00', tax_total: '0.00', total: '150.00' }
      const sold = { ...money, line_items }
      const offered = JSON.stringify([{ ...lineOf('PLG', '150.00'), ...FIXED }])
      const quoteId = await add('quotes', {
        ...sold,
        line_items: offered,
        status: 'accepted',
        valid_until: '2999-12-31',
        ...quote,
      })
      const orderId = await add('orders', { ...sold, number, quote_id: quoteId, ...order })
      await app.database.query('update quotes set order_id = $1 where id = $2', [orderId, quoteId])
      const billed = { number, status: 'open', origin: 'order', payment_invoice_id: `in_${number}`, order_id: orderId }
      const dates = { issue_date: '2026-01-01', due_date: '2026-01-31' }
      const { subtotal: _subtotal, ...rest } = sold
      const invoiceId = await add('invoices', { ...rest, ...billed, ...dates, ...invoice })
      const held = { code: `PLG-190001${String(orderId).padStart(4, '0')}`, class: 'PLG', product_name: 'Backup' }
      const entitlement = await add('entitlements', { ...held, company: 'entity_br', order_id: orderId })
      const given = { order_id: orderId, invoice_id: invoiceId, currency: 'BRL', amount: '150.00', reason: 'Too many' }
      const refundId = refund ? await add('refunds', { ...given, ...refund }) : 0
      return { quote: quoteId, order: orderId, invoice: invoiceId, refund: refundId, entitlement }
    },
    act: <Result>(run: (ctx: OrganizationContext) => Promise<Result>): Promise<Result> => {
      const { ports, store, transactions } = app.service
      const given = { settings: ports.settings, store: store(), consumers: eventConsumers([]) }
      const origin = { caller: SYSTEM_CALLER, now: app.clock.now, requestId: 'test', ip: null, ...given }
      return transactions.inOrganization(organization_id, origin, run)
    },
    async row(table: string, id: number): Promise<Row> {
      const [found] = await app.database.query<Row>(`select * from ${table} where id = $1`, [id])
      return found ?? {}
    },
    payments: (invoice: number): Promise<Row[]> =>
      app.database.query<Row>('select * from payments where invoice_id = $1 and organization_id = $2 order by id', [
        invoice,
        organization_id,
      ]),
    /** In BRL at entity_br, in minor units; the entries say the same. */
    async balance(): Promise<bigint> {
      const [held] = await app.database.query<{ amount: string; entries: string }>(
        `select b.amount, (select sum(e.amount) from credit_balance_entries e
                            where e.organization_id = b.organization_id and e.credit_balance_id = b.id) as entries
           from credit_balances b where b.organization_id = $1 and b.company = 'entity_br' and b.currency = 'BRL'`,
        [organization_id],
      )
      if (held && held.amount !== held.entries) throw new Error(`${held.amount} is not the sum ${held.entries}`)
      return BigInt((held?.amount ?? '0.00').replace('.', ''))
    },
    /** The types of a record's events, in order. */
    eventsOf: async (resource: string, id: number): Promise<string[]> =>
      (
        await app.database.query<{ type: string }>(
          'select type from events where resource = $1 and resource_id = $2 and organization_id = $3 order by sequence',
          [resource, id, organization_id],
        )
      ).map(({ type }) => type.split('/').slice(1).join('/')),
    commissions: async (invoice: number): Promise<unknown[]> =>
      (
        await app.database.query<{ payload: { is_new: boolean } }>(
          `select payload from jobs where kind = 'affiliates/commission' and key = $1 order by id`,
          [`commission:${invoice}`],
        )
      ).map(({ payload }) => payload.is_new),
  }
}
