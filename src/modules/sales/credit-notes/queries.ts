// All SQL of credit notes.
import { type Only, pageAcross } from '#kernel/data/lists/across.ts'
import { one, type OrganizationContext } from '#kernel/data/context.ts'
import { withExternalId } from '#kernel/data/external-ids.ts'
import { page, row } from '#http/route.ts'
import { ofOrganization, type OfOrganizations } from '#kernel/data/lists/of-organizations.ts'
import { raw, sql, type Statement, when } from '#kernel/values/sql.ts'
import {
  type CreditNote,
  type AdministratorsCreditNoteFilters,
  type CreditNoteFilters,
  creditNoteListing,
  CreditNoteRow,
} from './credit-note.ts'
import type { CreditedWithheldTax } from '#modules/sales/tax-withholding/withheld-tax.ts'
import { taxCreditsOf } from './credited-taxes.ts'
import { type LineCredit, lineCreditsOf } from './credited-lines.ts'
import type { CorrectedInvoice } from './document.ts'

const columnsOf = (notes: string, invoiceNumber: Statement): Statement => sql`${raw(
  Object.keys(CreditNoteRow.properties)
    .filter((column) => column !== 'series')
    .map((column) => `${notes}.${column}`)
    .join(', '),
)}, ${invoiceNumber} as invoice_number,
  (${raw(notes)}.total * power(10::numeric, currency_digits(${raw(notes)}.currency)))::bigint as total_cents`
const columns = columnsOf('c', sql`i.number`)
/** By a subquery, for lists across organizations, which read one table. */
const INVOICE_NUMBER = sql`(select i.number from invoices i
  where i.organization_id = credit_notes.organization_id and i.id = credit_notes.invoice_id)`

const filtered = (query: CreditNoteFilters, alias = ''): Statement => sql`
  ${withExternalId(query, alias)}
  ${when(query.invoice_id, (id) => sql`and ${raw(alias)}invoice_id = ${id}`)}
  ${when(query.date_from, (day) => sql`and ${raw(alias)}issue_date >= ${day}`)}
  ${when(query.date_to, (day) => sql`and ${raw(alias)}issue_date <= ${day}`)}`

const fromAny = (of: OfOrganizations): Statement => sql`
  from credit_notes c join invoices i on i.organization_id = c.organization_id and ${of('i.organization_id')}
    and i.id = c.invoice_id
 where ${of('c.organization_id')}`
const from = (org: number): Statement => fromAny(ofOrganization(org))

export const creditNotes = {
  page: (org: number, query: CreditNoteFilters) =>
    page(query, {
      listing: creditNoteListing,
      keptFor: org,
      columns,
      id: 'c.id',
      from: sql`${from(org)}
        ${filtered(query, 'c.')}`,
    }),
  pageOfAll: (query: AdministratorsCreditNoteFilters, only: Only) =>
    pageAcross(query, only, {
      table: 'credit_notes',
      listing: creditNoteListing,
      columns: columnsOf('credit_notes', INVOICE_NUMBER),
      filtered: filtered(query),
    }),
  byId: (org: number, id: number) => row<CreditNote>(sql`select ${columns} ${from(org)} and c.id = ${id}`),
  views: (of: OfOrganizations, ids: readonly number[]) =>
    sql<CreditNote>`select ${columns} ${fromAny(of)} and c.id = any(${ids}::bigint[])`,
  withInvoice: (org: number, id: number) =>
    sql<CreditNote & CorrectedInvoice>`
      select ${columns}, i.billing, i.issue_date as invoice_issue_date, i.total as invoice_total ${from(org)}
        and c.id = ${id}`,
  ofLines: (ctx: OrganizationContext, invoiceId: number) =>
    one(
      ctx,
      sql<{ credits: LineCredit[] }>`select ${lineCreditsOf(ctx.organizationId, sql`${invoiceId}::bigint`)} as credits`,
    ),
  /** What the credit notes of an invoice have taken back of its withheld taxes. */
  withheldOf: async (ctx: OrganizationContext, invoiceId: number): Promise<CreditedWithheldTax[]> => {
    const of = sql`${invoiceId}::bigint`
    const { credits } = await one(
      ctx,
      sql<{ credits: CreditedWithheldTax[] }>`select ${taxCreditsOf(ctx.organizationId, of)} as credits`,
    )
    return credits
  },
  /** The response's shape, read in the transaction of the change. */
  afterChange: (ctx: OrganizationContext, id: number) =>
    one(ctx, sql<CreditNote>`select ${columns} ${from(ctx.organizationId)} and c.id = ${id}`),
}
