// The statements on payments. Imports no area but its own vocabulary, since areas below this one read payments.
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import type { Billing } from '#modules/sales/invoices/invoice.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, parentIn, row } from '#http/route.ts'
import type { ProviderReference } from '#ports/payments.ts'
import {
  Payment,
  type AdministratorsPaymentFilters,
  type PaymentFilters,
  type PaymentFiltersOfInvoice,
  paymentListing,
  type PaymentSource,
} from './payment.ts'

const columns = raw(Object.keys(Payment.properties).join(', '))

/** A payment as its receipt shows it. */
export type ReceivedPayment = Payment & {
  invoice_number: string | null
  invoice_total: string | null
  /** Null without an invoice, or where it is not owed any more for another reason than payments. */
  invoice_due: string | null
  billing: Billing | null
}

export type Refundable = { id: number; source: PaymentSource; left: string }

const spent = (org: number, of: Statement): Statement => sql`
  coalesce((select sum(r.amount) from refunds r
             where r.organization_id = ${org} and r.payment_id = p.id and r.status in ('processing', 'succeeded')
               and ${of}), 0)`

const filtered = (query: PaymentFilters): Statement => sql`
  ${withExternalId(query)}
  ${when(query.date_from, (day) => sql`and payment_date >= ${day}`)}
  ${when(query.date_to, (day) => sql`and payment_date <= ${day}`)}`

export const payments = {
  page: (org: number, query: PaymentFilters) =>
    page(query, {
      listing: paymentListing,
      keptFor: org,
      columns: sql`${columns}`,
      from: sql`from payments where organization_id = ${org} ${filtered(query)}`,
    }),
  pageOfAll: (query: AdministratorsPaymentFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'payments',
      listing: paymentListing,
      columns: sql`${columns}`,
      filtered: filtered(query),
    }),
  ofInvoice: (org: number, invoiceId: number, query: PaymentFiltersOfInvoice) =>
    page(query, {
      columns: sql`${columns}`,
      from: sql`from payments where organization_id = ${org} and invoice_id = ${invoiceId}`,
      parent: parentIn('invoices', org, invoiceId),
    }),
  byId: (org: number, id: number) => row(payments.view(org, id)),
  latestOf: (ctx: OrganizationContext, invoiceId: number) =>
    one(
      ctx,
      sql<{ id: number }>`
        select id from payments where organization_id = ${ctx.organizationId} and invoice_id = ${invoiceId}
         order by id desc limit 1`,
    ),
  view: (org: number, id: number) =>
    sql<Payment>`select ${columns} from payments where organization_id = ${org} and id = ${id}`,
  /** With the number of its invoice, and who was billed. */
  withInvoice: (org: number, id: number) => sql<ReceivedPayment>`
    select ${raw(
      Object.keys(Payment.properties)
        .map((column) => `p.${column}`)
        .join(', '),
    )}, i.number as invoice_number, i.total as invoice_total,
           case when i.status in ('open', 'paid', 'uncollectible') then i.amount_due end as invoice_due, i.billing
      from payments p left join invoices i on i.organization_id = ${org} and i.id = p.invoice_id
     where p.organization_id = ${org} and p.id = ${id}`,
  of: async (ctx: OrganizationContext, id: number): Promise<Payment | undefined> =>
    (await ctx.ask(payments.view(ctx.organizationId, id)))[0],
  /** What the provider has reported under the reference before. */
  reported: (ctx: OrganizationContext, { company, provider, reference }: ProviderReference) =>
    ctx.ask<Pick<Payment, 'id' | 'amount' | 'currency' | 'paid_at'>>(sql`
      select id, amount, currency, paid_at from payments
       where organization_id = ${ctx.organizationId} and company = ${company} and provider = ${provider}
         and reference = ${reference} order by id`),
  /** The payments of an invoice, latest first, with what is left of their part for it. The invoice is locked. */
  refundable: (ctx: OrganizationContext, invoiceId: number) =>
    ctx.ask<Refundable>(sql`
      select p.id, p.source, greatest(p.amount - p.surplus - ${spent(
        ctx.organizationId,
        sql`r.invoice_id is not
        null`,
      )}, p.amount - p.amount) as left
        from payments p
       where p.organization_id = ${ctx.organizationId} and p.invoice_id = ${invoiceId} and p.moved_at is null
       order by p.id desc`),
  isRefunded: async (ctx: OrganizationContext, id: number): Promise<boolean> =>
    (
      await ctx.ask(sql`
        select id from refunds where organization_id = ${ctx.organizationId} and payment_id = ${id}
           and status in ('processing', 'succeeded') limit 1`)
    ).length > 0,
  /** The payment that was recorded in place of another one. */
  inPlaceOf: (org: number, id: number) =>
    sql<{ id: number }>`select id from payments where organization_id = ${org} and moved_from_id = ${id}`,
  /** A payment with what is left of its surplus. The credit balance is locked. */
  surplus: async (ctx: OrganizationContext, id: number): Promise<(Payment & { left: string }) | undefined> =>
    (
      await ctx.ask<Payment & { left: string }>(sql`
        select ${columns}, p.surplus - ${spent(ctx.organizationId, sql`r.invoice_id is null`)} as left
          from payments p where p.organization_id = ${ctx.organizationId} and p.id = ${id} and p.moved_at is null`)
    )[0],
}
