// The lineage of an entitlement: its origin and all records that belong to it (docs/interface/delivery.md,
// Entitlements).
import { Type, type Static, type TSchema } from 'typebox'
import { Entitlement } from '#modules/delivery/entitlements/entitlement.ts'
import { Contract } from '#modules/delivery/contracts/contract.ts'
import { Environment } from '#modules/delivery/environments/environment.ts'
import { Invoice } from '#modules/sales/invoices/invoice.ts'
import { License } from '#modules/delivery/licenses/license.ts'
import { OrderListItem } from '#modules/sales/orders/order.ts'
import { QuoteListItem } from '#modules/sales/quotes/quote.ts'
import { Service } from '#modules/delivery/services/service.ts'
import { TaxInvoiceListItem } from '#modules/sales/tax-invoices/tax-invoice.ts'
import { Ticket } from '#modules/support/tickets/ticket.ts'
import { Closed, DEFAULT_PER_PAGE, Nullable, Paging } from '#kernel/values/schema.ts'

/** The fields of each record in the lineage. */
export const ITEMS = {
  quote: Type.Pick(QuoteListItem, ['id', 'number', 'status', 'total', 'currency', 'created_at']),
  order: Type.Pick(OrderListItem, ['id', 'number', 'status', 'total', 'currency', 'date_paid', 'date_created']),
  invoices: Type.Pick(Invoice, ['id', 'number', 'status', 'total', 'currency', 'paid_at', 'issue_date']),
  tax_invoices: Type.Pick(TaxInvoiceListItem, ['id', 'status', 'nfse_number', 'total', 'currency', 'issued_at']),
  licenses: Type.Pick(License, ['id', 'license_key', 'status', 'activations_limit', 'activations_count', 'expires_at']),
  environments: Type.Pick(Environment, ['id', 'name', 'status', 'platform', 'environment_type', 'url']),
  services: Type.Pick(Service, ['id', 'name', 'status', 'lifecycle']),
  tickets: Type.Pick(Ticket, ['id', 'number', 'status', 'title', 'priority', 'created_at']),
  contracts: Type.Pick(Contract, ['id', 'title', 'status', 'start_date', 'end_date']),
}
export type Part = keyof typeof ITEMS

/** Of each list the newest records, as many as the first page of the whole list has. */
export const SHOWN = DEFAULT_PER_PAGE
/** Counting stops there, so that its cost has an end. */
export const MOST_COUNTED = 10_000

const ofEachList = <Schema extends TSchema>(schema: Schema, description: string) => {
  const each = Nullable(schema)
  return Type.Object(
    {
      invoices: each,
      tax_invoices: each,
      licenses: each,
      environments: each,
      services: each,
      tickets: each,
      contracts: each,
    },
    { description },
  )
}
const newest = <Schema extends TSchema>(schema: Schema) => Nullable(Type.Array(schema, { maxItems: SHOWN }))

export const Lineage = Type.Object(
  {
    quote: Nullable(ITEMS.quote),
    order: Nullable(ITEMS.order),
    invoices: newest(ITEMS.invoices),
    tax_invoices: newest(ITEMS.tax_invoices),
    licenses: newest(ITEMS.licenses),
    environments: newest(ITEMS.environments),
    services: newest(ITEMS.services),
    tickets: newest(ITEMS.tickets),
    contracts: newest(ITEMS.contracts),
    counts: ofEachList(
      Type.Integer({ minimum: 0, maximum: MOST_COUNTED, examples: [3] }),
      'How many there are of each',
    ),
    links: ofEachList(Type.String({ examples: ['/tickets?entitlement_id=42'] }), 'Where all of them are listed'),
  },
  {
    description:
      `Of each list the newest ${SHOWN}. A member is null when the caller lacks its scope (\`quote\` and ` +
      `\`order\` also when there is none)`,
  },
)
export type Lineage = Static<typeof Lineage>

const named = (what: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: what, examples: [example] }))

/** The filters of GET /lineage, of which exactly one is given. */
export const ORIGINS = {
  quote: named('Number of a quote', 'Q-42'),
  order: named('Number of an order', 'T-42'),
  invoice: named('Number of an invoice', 'BR-42'),
  tax_invoice: named('The authority’s number of a tax invoice', '1042'),
  ticket: named('Number of a ticket', 'SR-20260042'),
  license_key: named('A license key', 'ABCDE-FGHJK-MNPQR-STVWX-YZ234'),
}
export const OriginQuery = Closed({ ...Paging, ...ORIGINS })
export type OriginQuery = Static<typeof OriginQuery>

const { id, code, product_name, status } = Entitlement.properties

export const Origin = Type.Object(
  {
    id,
    code,
    class: Entitlement.properties.class,
    product_name,
    status,
    links: Type.Object({
      entitlement: Type.String({ examples: ['/entitlements/42'] }),
      lineage: Type.String({ examples: ['/entitlements/42/lineage'] }),
    }),
  },
  { description: 'An entitlement that the record belongs to' },
)
