// All SQL of refunds.
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page } from '#http/route.ts'
import { auditedHistoryPage } from '#kernel/data/audit/history.ts'
import type { Company, Page } from '#kernel/values/schema.ts'
import { isOneOf, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { OF_ORDER, OF_SUBSCRIPTION } from '#modules/sales/invoices/invoice.ts'
import type { PaymentSource } from '#modules/sales/payments/payment.ts'
import { type AdministratorsRefundFilters, Refund, type RefundFilters, refundListing, refundsTable } from './refund.ts'

const columns = raw(Object.keys(Refund.properties).join(', '))

const filtered = (query: RefundFilters): Statement => sql`
  ${withExternalId(query)}
  ${isOneOf('status', query.status)} ${when(
    query.order_id,
    (id) => sql`and order_id =
    ${id}`,
  )}`

/** Of an invoice `a` and its order `o`: one that is cancelled keeps what staff billed beside it, as `isBeside` says. */
export const isRefundedWithOrder = (org: number): Statement => sql`
  (o.status <> 'cancelled' or coalesce(a.origin, '') in (${OF_ORDER}, ${OF_SUBSCRIPTION})
    or (o.subscription_trial_ends_at is null and (a.paid_at > o.date_paid) is not true
        and not exists (select 1 from invoices s where s.organization_id = ${org} and s.order_id = o.id
                           and s.origin = ${OF_ORDER} and s.status <> 'void')))`

export const refunds = {
  history: (record: { org: number; id: number }, query: Page) =>
    auditedHistoryPage({ table: refundsTable, notes: ['rejection_reason', 'failure_reason', 'reason'] }, record, query),
  page: (org: number, query: RefundFilters) =>
    page(query, {
      listing: refundListing,
      keptFor: org,
      columns: sql`${columns}`,
      from: sql`from refunds where organization_id = ${org} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsRefundFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'refunds',
      listing: refundListing,
      columns: sql`${columns}`,
      filtered: filtered(query),
    }),
  async forChange(ctx: OrganizationContext, id: number): Promise<Refund> {
    const [refund] = await ctx.ask<Refund>(sql`
      select ${columns} from refunds where organization_id = ${ctx.organizationId} and id = ${id} for update`)
    if (!refund) throw notFound()
    return refund
  },
  /** With the provider's id of the payment that is refunded. */
  toSend: (org: number, id: number) => sql<
    Refund & { company: Company | null; source: PaymentSource | null; reference: string | null }
  >`
    select r.id, r.status, r.is_approved, r.amount, r.currency, r.provider_reference, r.created_at, p.company, p.source,
      p.reference
      from refunds r left join payments p on p.organization_id = ${org} and p.id = r.payment_id
     where r.organization_id = ${org} and r.id = ${id}`,
  /** Whether all paid invoices of the order are refunded in full. */
  orderIsRefunded: async (ctx: OrganizationContext, orderId: number): Promise<boolean> => {
    const org = ctx.organizationId
    const [sums] = await ctx.ask<{ whole: boolean | null }>(sql`
      select bool_and(a.amount_refunded = a.amount_paid) as whole
        from invoices a join orders o on o.organization_id = ${org} and o.id = a.order_id
       where a.organization_id = ${org} and a.order_id = ${orderId} and a.status = 'paid'
         and ${isRefundedWithOrder(org)}`)
    return sums?.whole === true
  },
  /** Whether staff wanted the invoice's tax invoices cancelled. */
  isToCancel: async (ctx: OrganizationContext, invoiceId: number): Promise<boolean> =>
    (
      await ctx.ask(sql`select id from refunds where organization_id = ${ctx.organizationId}
        and invoice_id = ${invoiceId}
         and status = 'succeeded' and tax_invoice_action = 'cancel' limit 1`)
    ).length > 0,
  mailFacts: (org: number, id: number) => sql<{
    invoice_id: number | null
    amount: string
    currency: string
    invoice_number: string | null
    credit_note_number: string | null
    is_to_balance: boolean
  }>`
    select r.invoice_id, r.amount, r.currency, i.number as invoice_number,
           exists (select 1 from payments p where p.organization_id = ${org} and p.id = r.payment_id
                      and p.source = 'credit_balance') as is_to_balance,
           (select c.number from credit_notes c where c.organization_id = ${org}
             and c.refund_id = r.id) as credit_note_number
      from refunds r
      left join invoices i on i.organization_id = ${org} and i.id = r.invoice_id
     where r.organization_id = ${org} and r.id = ${id}`,
}
