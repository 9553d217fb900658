// All SQL of tax invoices.
import { taxCreditsOf } from '#modules/sales/credit-notes/credited-taxes.ts'
import type { CreditedWithheldTax, InvoiceWithheldTax } from '#modules/sales/tax-withholding/withheld-tax.ts'
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import { first, one, type OrganizationContext } from '#kernel/data/context.ts'
import { notFound } from '#kernel/values/errors.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, parentIn } from '#http/route.ts'
import type { Company } from '#kernel/values/schema.ts'
import { isOneOf, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { billedByAny, billing } from '#modules/sales/invoices/billed.ts'
import { type LineCredit, lineCreditsOf } from '#modules/sales/credit-notes/credited-lines.ts'
import type { LineItem } from '#modules/delivery/products/line-item.ts'
import type { OrganizationFacts } from './recipient.ts'
import {
  type AdministratorsTaxInvoiceFilters,
  DETAIL_COLUMNS,
  type TaxInvoice,
  type TaxInvoiceFilters,
  type TaxInvoiceFiltersOfOrder,
  taxInvoiceListing,
  TaxInvoiceListItem,
  TaxInvoiceRow,
} from './tax-invoice.ts'

const listColumns = sql`${raw(Object.keys(TaxInvoiceListItem.properties).join(', '))}`
const detailColumns = raw(DETAIL_COLUMNS.join(', '))
const rowColumns = raw(Object.keys(TaxInvoiceRow.properties).join(', '))

const filtered = (query: TaxInvoiceFiltersOfOrder): Statement => sql`
  ${withExternalId(query)}
  ${isOneOf('status', query.status)}
  ${when(query.date_from, (day) => sql`and issued_at >= ${day}::date::timestamp at time zone 'UTC'`)}
  ${when(query.date_to, (day) => sql`and issued_at < (${day}::date + 1)::timestamp at time zone 'UTC'`)}`

/** The columns of an invoice that its tax invoices are made from. */
export type BilledInvoice = {
  id: number
  number: string
  status: string
  company: Company
  currency: string
  total: string
  amount_credited: string
  origin: string | null
  order_id: number | null
  issue_date: string
  due_date: string
  finalized_at: string | null
  paid_at: string | null
  payment_date: string | null
  /** Another system had recorded a payment of it. */
  is_history: boolean
  line_items: LineItem[]
  line_credits: LineCredit[]
  withheld: InvoiceWithheldTax[]
  tax_credits: CreditedWithheldTax[]
}

/** What is not read, but made of it. */
export type Detail = Omit<TaxInvoice, 'net_total' | 'consultation_url' | 'error_explanation'>
/** `xml` and its hash are null before it is issued. */
export type KeptXml = {
  id: number
  status: string
  access_key: string | null
  xml: string | null
  sha256: string | null
}
/** The lines and the amount of the invoice that a live tax invoice covers. */
export type Live = Pick<
  TaxInvoiceRow,
  'id' | 'substatus' | 'total' | 'line_numbers' | 'service_code' | 'nbs_code' | 'iss_rate' | 'replaces_id'
>
export type Waiting = { organization_id: number; id: number }

export const taxInvoices = {
  page: (org: number, query: TaxInvoiceFilters) =>
    page(query, {
      listing: taxInvoiceListing,
      keptFor: org,
      columns: listColumns,
      from: sql`from tax_invoices where organization_id = ${org} ${filtered(query)}
        ${when(query.entitlement_id, (id) => sql`and id in (${billing('tax_invoices', org, sql`${id}::bigint`)})`)}`,
    }),
  pageOfAll: (query: AdministratorsTaxInvoiceFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'tax_invoices',
      listing: taxInvoiceListing,
      columns: sql`${listColumns}, organization_id`,
      filtered: sql`${filtered(query)} ${when(query.entitlement_id, (id) => billedByAny('tax_invoices', id))}`,
    }),
  ofOrder: (org: number, orderId: number, query: TaxInvoiceFiltersOfOrder) =>
    page(query, {
      listing: taxInvoiceListing,
      columns: listColumns,
      from: sql`from tax_invoices where organization_id = ${org} and order_id = ${orderId} ${filtered(query)}`,
      parent: parentIn('orders', org, orderId),
    }),
  byId: (org: number, id: number) =>
    sql<Detail>`
      select ${detailColumns},
             (select d.sha256 from tax_invoice_documents d
               where d.organization_id = ${org} and d.tax_invoice_id = ${id} and d.kind = 'invoice') as xml_sha256
        from tax_invoices where organization_id = ${org} and id = ${id}`,
  xmlOf: (org: number, id: number) => sql<KeptXml>`
    select t.id, t.status, t.access_key, d.xml, d.sha256
      from tax_invoices t
      left join tax_invoice_documents d on d.organization_id = ${org} and d.tax_invoice_id = t.id and d.kind = 'invoice'
     where t.organization_id = ${org} and t.id = ${id}`,
  /** The tax invoice as clients get it, read within the change. */
  afterChange: (ctx: OrganizationContext, id: number) => one(ctx, taxInvoices.byId(ctx.organizationId, id)),

  row: (org: number, id: number) =>
    sql<TaxInvoiceRow>`select ${rowColumns} from tax_invoices where organization_id = ${org} and id = ${id}`,
  async forChange(ctx: OrganizationContext, id: number): Promise<TaxInvoiceRow> {
    const row = await first(ctx, sql<TaxInvoiceRow>`${taxInvoices.row(ctx.organizationId, id)} for update`)
    if (!row) throw notFound()
    return row
  },
  /** The tax invoice that is to replace this one. */
  successorOf: (ctx: OrganizationContext, id: number) =>
    first(
      ctx,
      sql<{ id: number }>`
        select id from tax_invoices
         where organization_id = ${ctx.organizationId} and replaces_id = ${id} and status <> 'cancelled'`,
    ),

  invoice: (org: number, id: number) => sql<BilledInvoice>`
    select id, number, status, company, currency, total, amount_credited, origin, order_id, issue_date, due_date,
           finalized_at, paid_at, payment_date, line_items, withheld,
           exists (select 1 from payments p where p.organization_id = ${org} and p.invoice_id = invoices.id
             and p.source = 'import') as is_history,
           ${lineCreditsOf(org, sql`invoices.id`)} as line_credits,
           ${taxCreditsOf(org, sql`invoices.id`)} as tax_credits
      from invoices where organization_id = ${org} and id = ${id}`,
  purchaseOf: (org: number, id: number) => sql<{ purchase_order: string | null }>`
    select purchase_order from invoices where organization_id = ${org} and id = ${id}`,
  /** Locked, so that it is not voided or credited meanwhile. */
  invoiceForChange: (ctx: OrganizationContext, id: number) =>
    first(ctx, sql<BilledInvoice>`${taxInvoices.invoice(ctx.organizationId, id)} for update`),
  liveOf: (ctx: OrganizationContext, invoiceId: number) =>
    ctx.ask<Live>(sql`
      select id, substatus, total, line_numbers, service_code, nbs_code, iss_rate, replaces_id from tax_invoices
       where organization_id = ${ctx.organizationId} and invoice_id = ${invoiceId} and status <> 'cancelled'`),
  /** Those that are not cancelled, a successor before the one that it is to replace. */
  inForceOf: (ctx: OrganizationContext, invoiceId: number) =>
    ctx.ask<TaxInvoiceRow>(sql`
      select ${rowColumns} from tax_invoices
       where organization_id = ${ctx.organizationId} and invoice_id = ${invoiceId} and status <> 'cancelled'
       order by id desc for update`),
  /** When the organization's invoices get their tax invoices. */
  agreedRule: (org: number) => sql<{ requires_invoice_for_payment: boolean; tax_issue_rule: string | null }>`
    select requires_invoice_for_payment, tax_issue_rule from organizations where organization_id = ${org}
      and id = ${org}`,
  hasAny: async (ctx: OrganizationContext, invoiceId: number): Promise<boolean> =>
    (
      await ctx.ask(
        sql`select id from tax_invoices where organization_id = ${ctx.organizationId} and invoice_id = ${invoiceId}
          limit 1`,
      )
    ).length > 0,
  /** The tax invoice that the invoice's `tax_link` leads to. */
  firstIssuedOf: (ctx: OrganizationContext, invoiceId: number) =>
    first(
      ctx,
      sql<{ id: number }>`
        select id from tax_invoices
         where organization_id = ${ctx.organizationId} and invoice_id = ${invoiceId} and status = 'issued' order by id
           limit 1`,
    ),
  recipient: (ctx: OrganizationContext) =>
    one(
      ctx,
      sql<OrganizationFacts>`
        select name, legal_name, cnpj, id_number, municipal_registration, email, tax_email, phone, address,
          address_number,
               address2, neighborhood, city, state, ibge_code, zipcode, country,
               tax_param1, tax_param2, tax_param3, tax_param4, tax_param5
          from organizations where organization_id = ${ctx.organizationId} and id = ${ctx.organizationId}`,
    ),

  /** Tax invoices of all organizations that wait for the authority and have no live job. */
  abandoned: (limit: number) => sql<Waiting>`
    select t.organization_id, t.id from tax_invoices t
     where (t.status = 'pending' or t.substatus = 'cancelling')
       and 'tax-invoice:' || t.id not in (
         select j.key from jobs j where j.key ^@ 'tax-invoice:' and j.dead_at is null)
     order by t.updated_at limit ${limit}`,
  jobsOf: (ctx: OrganizationContext, id: number) =>
    one(
      ctx,
      sql<{ live: number; dead: number }>`
        select count(*) filter (where dead_at is null) as live, count(*) filter (where dead_at is not null) as dead
          from jobs where organization_id = ${ctx.organizationId} and key = 'tax-invoice:' || ${id}::bigint`,
    ),

  mailFacts: (org: number, id: number) => sql<{
    id: number
    status: string
    nfse_number: string | null
    access_key: string | null
    total: string
    currency: string
    issued_at: string | null
    company: Company
    invoice_number: string
  }>`
    select t.id, t.status, t.nfse_number, t.access_key, t.total, t.currency, t.issued_at, i.company,
      i.number as invoice_number
      from tax_invoices t
      join invoices i on i.organization_id = ${org} and i.id = t.invoice_id
     where t.organization_id = ${org} and t.id = ${id}`,
}
