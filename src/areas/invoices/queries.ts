// All SQL of invoices.
import { one, type OrganizationContext } from '#kernel/context.ts'
import { notFound } from '#kernel/errors.ts'
import { page, parentIn, row } from '#kernel/route.ts'
import { raw, sql, type Statement, when } from '#kernel/sql.ts'
import { INNER, type Invoice, type InvoiceFilters, InvoiceRow } from './invoice.ts'

const rowColumns = raw(Object.keys(InvoiceRow.properties).join(', '))
const shown = raw(
  Object.keys(InvoiceRow.properties)
    .filter((column) => !(column in INNER))
    .join(', '),
)
const columns = sql`${shown}, payment_invoice_id as invoice_id,
  (total * power(10::numeric, currency_digits(currency)))::bigint as total_cents,
  array(select c.id from credit_notes c where c.organization_id = invoices.organization_id and c.invoice_id = invoices.id
         order by c.id) as credit_note_ids`

const filtered = (query: InvoiceFilters): Statement => sql`
  ${when(query.status, (status) => sql`and status = ${status}`)}
  ${when(query.date_from, (day) => sql`and issue_date >= ${day}`)} ${when(query.date_to, (day) => sql`and issue_date <= ${day}`)}`

export const invoices = {
  page: (org: number, query: InvoiceFilters) =>
    page(query, { columns, from: sql`from invoices where organization_id = ${org} ${filtered(query)}` }),
  ofOrder: (org: number, orderId: number, query: InvoiceFilters) =>
    page(query, {
      columns,
      from: sql`from invoices where organization_id = ${org} and order_id = ${orderId} ${filtered(query)}`,
      parent: parentIn('orders', org, orderId),
    }),
  byId: (org: number, id: number) =>
    row<Invoice>(sql`select ${columns} from invoices where organization_id = ${org} and id = ${id}`),
  async forChange(ctx: OrganizationContext, id: number): Promise<InvoiceRow> {
    const [invoice] = await ctx.ask<InvoiceRow>(sql`
      select ${rowColumns} from invoices where organization_id = ${ctx.organizationId} and id = ${id} for update`)
    if (!invoice) throw notFound()
    return invoice
  },
  /** As clients see it, within the change. */
  afterChange: (ctx: OrganizationContext, id: number) =>
    one(
      ctx,
      sql<Invoice>`select ${columns} from invoices where organization_id = ${ctx.organizationId} and id = ${id}`,
    ),
  ofOrderForChange: (ctx: OrganizationContext, orderId: number) =>
    ctx.ask<InvoiceRow>(sql`
      select ${rowColumns} from invoices where organization_id = ${ctx.organizationId} and order_id = ${orderId}
       order by id for update`),
  /** Members who look after the money, for mails. */
  readers: (org: number, now: Date) => sql<{ user_id: number; email: string; language: string }>`
    select u.id as user_id, u.email, u.language
      from collaborators c join users u on u.id = c.user_id and u.disabled_at is null
     where c.organization_id = ${org} and 'finances' = any(c.scopes) and c.weight >= 50
       and (c.started_at is null or c.started_at <= ${now}) and (c.expired_at is null or c.expired_at > ${now})
     order by c.id`,
  /** The provider's customer that stands for the organization at the legal entity's account. */
  async customerOf(ctx: OrganizationContext, company: string): Promise<string | null> {
    const [held] = await ctx.ask<{ customer: string | null }>(sql`
      select case ${company}::text when 'entity_br' then payment_customer_id_br else payment_customer_id_global end as customer
        from organizations where organization_id = ${ctx.organizationId} and id = ${ctx.organizationId}`)
    return held?.customer ?? null
  },
}
