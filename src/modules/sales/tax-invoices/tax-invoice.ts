// The tax invoice (spec 2.10, 3.2): the NFS-e of an invoice of the legal entity in Brazil.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { AMOUNT, listing, OPTIONAL_TIME, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { LineItem } from '#modules/delivery/products/line-item.ts'
import { org } from '#kernel/values/permissions.ts'
import { moves } from '#kernel/data/moves.ts'
import { externalIdFilter, integration } from '#kernel/values/integration.ts'
import {
  AnyOf,
  CalendarDate,
  Closed,
  Company,
  Currency,
  Id,
  Money,
  Nullable,
  Paging,
  Timestamp,
} from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'
import { FiscalProfile } from '#ports/fiscal-profiles.ts'
import { type TaxRecipient } from '#ports/tax-authority.ts'
import { CreditedWithheldTax } from '#modules/sales/tax-withholding/withheld-tax.ts'
import { SHORTEST_REASON } from './cancellation-reason.ts'

export const STATUSES = ['pending', 'issued', 'cancelled', 'error'] as const
export const TaxInvoiceStatus = Type.Enum(STATUSES, { examples: ['issued'] })

/** The reason or the progress behind a status. */
export const SUBSTATUSES = [
  // pending: not prepared yet; prepared, no answer yet
  'queued',
  'sending',
  // pending or error: sent, without a clear answer; not sent, since the authority is unavailable
  'unclear',
  'unavailable',
  // error: refused by the authority; something is missing, so nothing was sent
  'refused',
  'undeclarable',
  // issued: the cancellation is under way, was refused, or had no answer
  'cancelling',
  'cancel_refused',
  'cancel_unavailable',
  // cancelled: replaced by another one
  'substituted',
] as const
export type Substatus = (typeof SUBSTATUSES)[number]

export const taxInvoiceMoves = moves(STATUSES, {
  issue: { from: ['pending'], to: 'issued' },
  fail: { from: ['pending'], to: 'error', event: 'failed' },
  retry: { from: ['error'], to: 'pending', event: 'retried' },
  cancel: { from: ['pending', 'error', 'issued'], to: 'cancelled' },
})

/** Whether the authority cannot have it: it was never sent, or was refused. */
export const isUnknownThere = ({
  status,
  substatus,
  declaration_xml,
}: Pick<TaxInvoiceRow, 'status' | 'substatus' | 'declaration_xml'>): boolean =>
  (status === 'error' && substatus !== 'unclear') || (status === 'pending' && declaration_xml === null)

const text = (description: string, example: string) => Nullable(Type.String({ description, examples: [example] }))

export const TaxInvoiceListItem = Type.Object({
  id: Id,
  status: TaxInvoiceStatus,
  nfse_number: text('The authority’s number; null until it is issued', '1042'),
  total: Money,
  currency: Currency,
  issued_at: Nullable(Timestamp),
  order_id: Nullable(Id),
  ...integration,
  created_at: Timestamp,
  updated_at: Timestamp,
})

const detail = {
  ...TaxInvoiceListItem.properties,
  invoice_id: Id,
  organization_id: Id,
  company: Company,
  substatus: Nullable(
    Type.Enum(SUBSTATUSES, { description: 'The reason or the progress behind the status', examples: ['sending'] }),
  ),
  series: Type.String({ description: 'Series of the declaration', examples: ['1'] }),
  rps_number: Type.Integer({ description: 'Number of the declaration in its series', examples: [42] }),
  service_code: text('National code of the service, and the municipal one after it', '010501'),
  description: Type.String({ description: 'Description of the service in the declaration' }),
  competence: CalendarDate,
  nbs_code: text('Code of the service in the national nomenclature (NBS)', '111032200'),
  iss_rate: text('ISS in percent', '2.00'),
  iss_amount: Nullable(Money),
  withheld: Type.Array(CreditedWithheldTax, {
    description: 'The taxes that the recipient withholds, as they are declared: its part of those of the invoice',
  }),
  agreement_id: Nullable({
    ...Id,
    description: 'What was known of the municipality’s agreement (`GET /admin/municipal-parameters`)',
  }),
  rate_id: Nullable({ ...Id, description: 'What was known of its rate for the service code; null: nothing' }),
  verification_code: text('Only if the municipality issues one', 'A1B2C3'),
  access_key: text('The authority’s key of the document', '35503082212ABC34501DE35000000000104226111234567890'),
  error_code: text('The authority’s code, or one of this service', 'E0188'),
  error_message: text('The authority’s message', 'CNPJ do tomador inválido'),
  cancel_reason_code: text('Coded reason of the cancellation', '1'),
  cancel_reason: text('The reason in words', 'Issued for the wrong company'),
  replaces_id: Nullable(Type.Integer({ description: 'The tax invoice that this one replaces', examples: [41] })),
  replaced_by_id: Nullable(Type.Integer({ description: 'The tax invoice that replaced this one', examples: [43] })),
  cancelled_at: Nullable(Timestamp),
  cancel_until: Nullable({
    ...CalendarDate,
    description: 'Last day on which the municipality cancels it; null while the fiscal profile does not say',
  }),
  line_items: Type.Array(LineItem, { description: 'The lines of the invoice that it covers' }),
}

/** The national system's page of a document, which the QR code of its DANFSe leads to. */
export const consultationUrl = (accessKey: string): string =>
  `https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=${accessKey}`

export const TaxInvoice = Type.Object(
  {
    ...detail,
    net_total: { ...Money, description: 'The total less what the recipient withholds' },
    consultation_url: Nullable(
      Type.String({
        format: 'uri',
        description: 'Where anybody can see it at the national system; null until it is issued',
        examples: [consultationUrl('35503082212ABC34501DE35000000000104226111234567890')],
      }),
    ),
    xml_sha256: text('SHA-256 of the XML in hex; null until it is issued', 'a'.repeat(64)),
    error_explanation: Nullable(
      Type.String({ description: 'What a frequent code means and what to do, in the caller’s language' }),
    ),
  },
  { description: 'A tax invoice (NFS-e) of the legal entity in Brazil' },
)
export type TaxInvoice = Static<typeof TaxInvoice>

export const DETAIL_COLUMNS = Object.keys(detail)

export const TaxInvoiceRow = Type.Object({
  ...detail,
  declaration_id: Nullable(Type.String()),
  declaration_xml: Nullable(Type.String()),
  declared_at: Nullable(Timestamp),
  profile: Nullable(FiscalProfile),
  recipient: Type.Unsafe<TaxRecipient>({ type: 'object' }),
  line_numbers: Type.Array(Type.Integer()),
})
export type TaxInvoiceRow = Static<typeof TaxInvoiceRow>

export const taxInvoicesTable = table('tax_invoices', 'tax_invoice', TaxInvoiceRow, {
  moves: taxInvoiceMoves,
  events: ['delayed', 'cancelling', 'cancel_refused', 'cancel_unavailable', 'substituting'],
  masked: ['declaration_xml', 'profile'],
  decimals: ['iss_rate'],
  search: ['nfse_number', 'access_key', 'external_id'],
  needs: { cancelled: org('finances'), cancelling: org('finances'), substituting: org('finances') },
})

export const taxInvoiceListing = listing(
  { created_at: TIME, updated_at: TIME, issued_at: OPTIONAL_TIME, total: AMOUNT },
  'updated_at',
)
const filters = {
  ...Paging,
  ...taxInvoiceListing.parameters,
  ...externalIdFilter,
  status: AnyOf(TaxInvoiceStatus),
  date_from: Type.Optional(CalendarDate),
  date_to: Type.Optional(CalendarDate),
}
export const TaxInvoiceFilters = Closed({ ...filters, entitlement_id: Type.Optional(Id) })
export type TaxInvoiceFilters = Static<typeof TaxInvoiceFilters>
export const AdministratorsTaxInvoiceFilters = acrossFilters(TaxInvoiceFilters.properties)
export type AdministratorsTaxInvoiceFilters = Static<typeof AdministratorsTaxInvoiceFilters>
/** Where the list is of an order. */
export const TaxInvoiceFiltersOfOrder = Closed(filters)
export type TaxInvoiceFiltersOfOrder = Static<typeof TaxInvoiceFiltersOfOrder>

const Description = Type.String({
  minLength: 1,
  maxLength: 2000,
  pattern: String.raw`\S`,
  description: 'Description of the service in the declaration; made from the lines when absent',
})

export const NewTaxInvoice = Closed({
  organization_id: Type.Optional(Id),
  invoice_id: Id,
  description: Type.Optional(Description),
})
export type NewTaxInvoice = Static<typeof NewTaxInvoice>

/** The tax invoices that one request created, one for each service code. */
export const TaxInvoicesMade = Type.Object(
  {
    ...TaxInvoice.properties,
    created_ids: Type.Array(Id, { description: 'All tax invoices that were created, this one first' }),
  },
  { description: 'The first of the tax invoices that were created' },
)

const Reason = Type.String({
  minLength: SHORTEST_REASON,
  maxLength: 255,
  pattern: String.raw`^\s*\S[^]{13,}\S\s*$`,
  examples: ['Issued for the wrong company'],
})

export const Cancellation = Closed({
  organization_id: Type.Optional(Id),
  reason_code: Type.Enum(['1', '2', '9'], {
    description: '1 issued in error, 2 service not rendered, 9 other',
    examples: ['1'],
  }),
  reason: Reason,
})
export type Cancellation = Static<typeof Cancellation>

export const Substitution = Closed({
  organization_id: Type.Optional(Id),
  reason_code: Type.Enum(['01', '02', '03', '04', '05', '99'], {
    description: 'As the national layout codes a substitution; 99 other',
    examples: ['99'],
  }),
  reason: Reason,
  description: Type.Optional(Description),
})
export type Substitution = Static<typeof Substitution>
