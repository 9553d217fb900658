// All SQL of invoices.
import type { EntitlementClass } from '#modules/delivery/entitlements/entitlement.ts'
import { ofOrganizationNamed, type Only, pageAcross } from '#kernel/data/lists/across.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { invalid, notFound } from '#kernel/values/errors.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, parentIn, row } from '#http/route.ts'
import { ofOrganization, type OfOrganizations, ofSameAs } from '#kernel/data/lists/of-organizations.ts'
import { auditedHistoryPage } from '#kernel/data/audit/history.ts'
import type { Company, Page } from '#kernel/values/schema.ts'
import { contains } from '#kernel/data/lists/search.ts'
import { isOneOf, raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import { sellerSet } from '#ports/settings-in-force.ts'
import { billedBy, billedByAny, billing } from './billed.ts'
import { type Billing, INNER, type Invoice, InvoiceRow, invoicesTable, type StoredInvoice } from './invoice.ts'
import {
  type AdministratorsInvoiceFilters,
  type InvoiceFilters,
  type InvoiceFiltersOfOrder,
  invoiceListing,
} from './invoice-filters.ts'
import { isOverdue, type Today, todayAt } from './overdue.ts'
import type { PayableInvoice } from './payment-options/options-of.ts'

const rowColumns = raw(Object.keys(InvoiceRow.properties).join(', '))
const viewColumns = raw(
  Object.keys(InvoiceRow.properties)
    .filter((column) => !(column in INNER))
    .join(', '),
)
const stored = (of: OfOrganizations) => sql`${viewColumns}, payment_invoice_id as invoice_id,
  (total * power(10::numeric, currency_digits(currency)))::bigint as total_cents,
  array(select c.id from credit_notes c where ${of('c.organization_id', 'invoices')} and c.invoice_id = invoices.id
         order by c.id) as credit_note_ids`
const columns = (of: OfOrganizations, today: Today) => sql`${stored(of)}, ${isOverdue(today)} as is_overdue,
  case when ${isOverdue(today)} then due_date + 1 end as overdue_since`

export type UnpaidInvoice = Pick<
  InvoiceRow,
  'id' | 'company' | 'number' | 'due_date' | 'reopened_at' | 'period_start' | 'period_end'
>

const filtered = (query: InvoiceFiltersOfOrder, today: Today): Statement => sql`
  ${withExternalId(query)} ${when(query.overdue, () => sql`and ${isOverdue(today)}`)}
    ${isOneOf('status', query.status)}
  ${when(query.date_from, (day) => sql`and issue_date >= ${day}`)} ${when(
    query.date_to,
    (day) => sql`and issue_date <=
    ${day}`,
  )}`

export const invoices = {
  history: (record: { org: number; id: number }, query: Page) =>
    auditedHistoryPage({ table: invoicesTable }, record, query),
  page: (org: number, query: InvoiceFilters, today: Today) =>
    page(query, {
      listing: invoiceListing,
      // What is overdue changes with the time alone.
      ...(query.overdue === undefined && { keptFor: org }),
      columns: columns(ofOrganization(org), today),
      from: sql`from invoices where organization_id = ${org} ${filtered(query, today)}
        ${when(query.entitlement_id, (id) => sql`and id in (${billing('invoices', org, sql`${id}::bigint`)})`)}`,
    }),
  pageOfAll: (query: AdministratorsInvoiceFilters, only: Only, today: Today) =>
    pageAcross(query, only, {
      table: 'invoices',
      listing: invoiceListing,
      columns: columns(ofSameAs('invoices'), today),
      filtered: sql`${filtered(query, today)} ${when(query.entitlement_id, (id) => billedByAny('invoices', id))}
        ${when(
          query.search,
          (text) => sql`and (${contains('number', text)}
            or ${ofOrganizationNamed('invoices', contains('o.name', text))})`,
        )}`,
    }),
  ofOrder: (
    { org, order_id: orderId }: { org: number; order_id: number },
    query: InvoiceFiltersOfOrder,
    today: Today,
  ) =>
    page(query, {
      listing: invoiceListing,
      columns: columns(ofOrganization(org), today),
      from: sql`from invoices where organization_id = ${org} and order_id = ${orderId} ${filtered(query, today)}`,
      parent: parentIn('orders', org, orderId),
    }),
  byId: (org: number, id: number, today: Today) => row<Invoice>(invoices.view(org, id, today)),
  view: (org: number, id: number, today: Today) =>
    sql<Invoice>`select ${columns(ofOrganization(org), today)} from invoices where organization_id = ${org}
      and id = ${id}`,
  views: (of: OfOrganizations, ids: readonly number[], today: Today) =>
    sql<Invoice>`select ${columns(of, today)} from invoices where ${of('organization_id')}
      and id = any(${ids}::bigint[])`,
  stored: (org: number, id: number) =>
    sql<StoredInvoice>`select ${stored(ofOrganization(org))} from invoices where organization_id = ${org}
      and id = ${id}`,
  async forChange(ctx: OrganizationContext, id: number): Promise<InvoiceRow> {
    const [invoice] = await ctx.ask<InvoiceRow>(sql`
      select ${rowColumns} from invoices where organization_id = ${ctx.organizationId} and id = ${id} for update`)
    if (!invoice) throw notFound()
    return invoice
  },
  /** The response's shape, read in the transaction of the change. */
  afterChange: (ctx: OrganizationContext, id: number) =>
    one(ctx, invoices.view(ctx.organizationId, id, todayAt(ctx.now, ctx.settings))),
  ofOrderForChange: (ctx: OrganizationContext, orderId: number) =>
    ctx.ask<InvoiceRow>(sql`
      select ${rowColumns} from invoices where organization_id = ${ctx.organizationId} and order_id = ${orderId}
       order by id for update`),
  /** Those that bill the entitlement and are not paid. */
  unpaidOf: (ctx: OrganizationContext, entitlementId: number) =>
    ctx.ask<UnpaidInvoice>(sql`
      select id, company, number, due_date, reopened_at, period_start, period_end from invoices
       where organization_id = ${ctx.organizationId} and status in ('open', 'uncollectible') and amount_due > 0
         and id in (${billing('invoices', ctx.organizationId, sql`${entitlementId}::bigint`)}) order by due_date, id`),
  /** The entitlements that it bills. */
  entitlementsOf: (ctx: OrganizationContext, id: number) =>
    ctx.ask<{ id: number }>(sql`${billedBy(ctx.organizationId, id)} order by e.id`),
  nextId: () => sql<{ id: number }>`select nextval('invoices_id_seq') as id`,
  /** Whether the organization has an invoice of the legal entity with this number. */
  isTaken: async (ctx: OrganizationContext, company: Company, number: string): Promise<boolean> =>
    (
      await ctx.ask(sql`select id from invoices
        where organization_id = ${ctx.organizationId} and company = ${company} and number = ${number}`)
    ).length > 0,
  /** The organization's entitlements among the codes. */
  entitlements: (ctx: OrganizationContext, codes: readonly string[]) =>
    ctx.ask<{ code: string; class: EntitlementClass }>(sql`
      select code, class from entitlements where organization_id = ${ctx.organizationId}
        and code = any(${codes}::text[])`),
  orderOf: async (ctx: OrganizationContext, id: number): Promise<{ company: Company; currency: string }> => {
    const [order] = await ctx.ask<{ company: Company; currency: string }>(
      sql`select company, currency from orders where organization_id = ${ctx.organizationId} and id = ${id}`,
    )
    if (!order) throw invalid({ order_id: 'is no order of the organization' })
    return order
  },
  /** The organization's billing data as of now. */
  billing: (ctx: OrganizationContext) =>
    one(
      ctx,
      sql<Billing & { country: string | null }>`
        select name, legal_name, cnpj, email, phone, address, address_number, address2, neighborhood, city, state,
          country, zipcode
          from organizations where organization_id = ${ctx.organizationId} and id = ${ctx.organizationId}`,
    ),
  /** The facts of the mails about it. */
  mailFacts: (org: number, id: number) => sql<PayableInvoice & { origin: string | null }>`
    select id, number, status, company, origin, amount_due, currency, due_date, link, payment_codes,
           ${sellerSet(sql`invoices.company`)} as seller
      from invoices where organization_id = ${org} and id = ${id}`,
  paysByInvoice: (org: number) => sql<{ requires_invoice_for_payment: boolean }>`
    select requires_invoice_for_payment from organizations where organization_id = ${org} and id = ${org}`,
}
