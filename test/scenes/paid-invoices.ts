// Invoices inserted into the tables and paid by staff over HTTP, for tests of what follows a payment.
import { expect } from 'vitest'
import { LineItem } from '#modules/delivery/products/line-item.ts'
import type { TestApp } from '#test/harness/app.ts'
import type { Organization } from '#test/harness/world.ts'

/** A line with all fields of its schema. */
export function lineOf(entitlement_class: string, total: string, product_name = `Product ${entitlement_class}`) {
  const nothing = { discount: '0.00', tax_rate: null, tax: '0.00', entitlement_code: null, product_id: null, sku: null }
  const amounts = { quantity: 1, unit_price: total, subtotal: total, total }
  const line = { ...nothing, ...amounts, product_name, description: null, entitlement_class, term_months: 12 }
  return Object.fromEntries(Object.entries(line).filter(([name]) => name in LineItem.properties))
}

const NOON_IN_BRAZIL = '2025-11-20T15:00:00.000Z'
let next = 1

type Wanted = { total?: string; lines?: object[]; company?: string; currency?: string; withOrder?: boolean }

/** An open invoice, without an order by default. */
export async function openInvoice(app: TestApp, { id: org }: Organization, wanted: Wanted = {}): Promise<number> {
  const { total = '150.00', company = 'entity_br', currency = 'BRL', withOrder = false } = wanted
  const lines = JSON.stringify(wanted.lines ?? [lineOf('PLG', total, 'Backup “Pró” 🚀 <b>&')])
  const number = `TEST-${next++}`
  const order = withOrder
    ? await app.database.query<{ id: number }>(
        `insert into orders (organization_id, number, company, currency, subtotal, tax_total, total, line_items)
         values ($1, $2, $3, $4, $5, '0.00', $5, $6) returning id`,
        [org, number, company, currency, total, lines],
      )
    : []
  const [invoice] = await app.database.query<{ id: number }>(
    `insert into invoices (organization_id, number, status, company, currency, total, line_items, issue_date, due_date, order_id)
     values ($1, $2, 'open', $3, $4, $5, $6, '2024-01-02', '2024-01-09', $7) returning id`,
    [org, number, company, currency, total, lines, order[0]?.id ?? null],
  )
  return invoice?.id ?? 0
}

/** An invoice paid by hand, by default now; the jobs that follow have not run. */
export async function payInvoice(at: Organization, id: number, paid_at?: string): Promise<void> {
  const body = { payment_method: 'bank_transfer', ...(paid_at !== undefined && { paid_at }) }
  const answer = await at.staff.post(`/invoices/${id}/pay`, body)
  expect(answer.status, answer.raw.body).toBe(200)
}

export async function paidInvoice(app: TestApp, at: Organization, wanted: Wanted = {}): Promise<number> {
  const id = await openInvoice(app, at, wanted)
  await payInvoice(at, id, NOON_IN_BRAZIL)
  return id
}
