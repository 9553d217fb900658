// All SQL of invoices.
import type { EntitlementClass } from '#areas/entitlements/entitlement.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { invalid, notFound } from '#kernel/http/errors.ts'
import { page, parentIn, row } from '#kernel/http/route.ts'
import type { Company } from '#kernel/values/schema.ts'
import { contains } from '#kernel/data/search.ts'
import { raw, sql, type Statement, when } from '#kernel/data/sql.ts'
import { billing } from './billed.ts'
import {
  type AdministratorsInvoiceFilters,
  type Billing,
  INNER,
  type Invoice,
  type InvoiceFilters,
  type InvoiceFiltersOfOrder,
  InvoiceRow,
} from './invoice.ts'

const rowColumns = raw(Object.keys(InvoiceRow.properties).join(', '))
const viewColumns = raw(
  Object.keys(InvoiceRow.properties)
    .filter((column) => !(column in INNER))
    .join(', '),
)
const columns = sql`${viewColumns}, payment_invoice_id as invoice_id,
  (total * power(10::numeric, currency_digits(currency)))::bigint as total_cents,
  array(select c.id from credit_notes c where c.organization_id = invoices.organization_id and c.invoice_id = invoices.id
         order by c.id) as credit_note_ids`

/** The invoices of all organizations, for administrators. */
export const invoicesOfAll = (query: AdministratorsInvoiceFilters) =>
  page(query, {
    columns: sql`${columns}, (select o.name from organizations o where o.id = invoices.organization_id) as organization_name`,
    from: sql`from invoices where true ${when(query.organization_id, (id) => sql`and organization_id = ${id}`)}
      ${when(query.company, (company) => sql`and company = ${company}`)} ${filtered(query)}
      ${when(
        query.search,
        (text) => sql`and (${contains('number', text)} or exists (
          select from organizations o where o.id = invoices.organization_id and ${contains('o.name', text)}))`,
      )}`,
  })

const filtered = (query: InvoiceFiltersOfOrder): Statement => sql`
  ${when(query.status, (status) => sql`and status = ${status}`)}
  ${when(query.date_from, (day) => sql`and issue_date >= ${day}`)} ${when(query.date_to, (day) => sql`and issue_date <= ${day}`)}`

export const invoices = {
  page: (org: number, query: InvoiceFilters) =>
    page(query, {
      keptFor: org,
      columns,
      from: sql`from invoices where organization_id = ${org} ${filtered(query)}
        ${when(query.entitlement_id, (id) => sql`and id in (${billing('invoices', org, sql`${id}::bigint`)})`)}`,
    }),
  ofOrder: (org: number, orderId: number, query: InvoiceFiltersOfOrder) =>
    page(query, {
      columns,
      from: sql`from invoices where organization_id = ${org} and order_id = ${orderId} ${filtered(query)}`,
      parent: parentIn('orders', org, orderId),
    }),
  byId: (org: number, id: number) => row<Invoice>(invoices.view(org, id)),
  view: (org: number, id: number) =>
    sql<Invoice>`select ${columns} from invoices where organization_id = ${org} and id = ${id}`,
  async forChange(ctx: OrganizationContext, id: number): Promise<InvoiceRow> {
    const [invoice] = await ctx.ask<InvoiceRow>(sql`
      select ${rowColumns} from invoices where organization_id = ${ctx.organizationId} and id = ${id} for update`)
    if (!invoice) throw notFound()
    return invoice
  },
  /** The response's shape, read in the transaction of the change. */
  afterChange: (ctx: OrganizationContext, id: number) => one(ctx, invoices.view(ctx.organizationId, id)),
  ofOrderForChange: (ctx: OrganizationContext, orderId: number) =>
    ctx.ask<InvoiceRow>(sql`
      select ${rowColumns} from invoices where organization_id = ${ctx.organizationId} and order_id = ${orderId}
       order by id for update`),
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
      select code, class from entitlements where organization_id = ${ctx.organizationId} and code = any(${codes}::text[])`),
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
        select name, legal_name, cnpj, email, phone, address, address_number, address2, neighborhood, city, state, country, zipcode
          from organizations where organization_id = ${ctx.organizationId} and id = ${ctx.organizationId}`,
    ),
  /** The facts of the mails about it. */
  mailFacts: (org: number, id: number) => sql<{
    id: number
    number: string
    status: string
    origin: string | null
    amount_due: string
    currency: string
    due_date: string
    requires_invoice_for_payment: boolean
  }>`
    select i.id, i.number, i.status, i.origin, i.amount_due, i.currency, i.due_date, o.requires_invoice_for_payment
      from invoices i join organizations o on o.organization_id = ${org} and o.id = ${org}
     where i.organization_id = ${org} and i.id = ${id}`,
}
