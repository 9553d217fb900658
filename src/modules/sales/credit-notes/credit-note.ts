// The credit note (docs/interface/sales.md, Credit notes): corrects a final invoice, and never changes once issued.
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { AMOUNT, DATE, listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { org } from '#kernel/values/permissions.ts'
import { CreditedWithheldTax } from '#modules/sales/tax-withholding/withheld-tax.ts'
import { externalIdFilter, givenIntegration, integration } from '#kernel/values/integration.ts'
import {
  CalendarDate,
  Closed,
  Company,
  Currency,
  Id,
  Money,
  Nullable,
  Paging,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

const InvoiceLine = Type.Integer({
  minimum: 1,
  description: 'The line of the invoice that is credited, counted from 1. Absent: none in particular',
  examples: [2],
})

export const CreditLine = Type.Object({
  description: Type.String({ examples: ['Two seats that were not used'] }),
  quantity: Type.Integer({ examples: [2] }),
  unit_price: Money,
  total: Money,
  invoice_line: Type.Optional(InvoiceLine),
})
export type CreditLine = Static<typeof CreditLine>

const shape = {
  id: Id,
  organization_id: Id,
  number: Type.String({ examples: ['BRC-000007'] }),
  company: Company,
  invoice_id: Id,
  refund_id: Nullable(Id),
  reason: Nullable(Text),
  currency: Currency,
  total: Money,
  withheld: Type.Array(CreditedWithheldTax, {
    description: 'What the customer would have kept back of the total, by tax, in proportion',
  }),
  withheld_total: { ...Money, description: 'The sum of `withheld`', examples: ['0.00'] },
  line_items: Type.Array(CreditLine),
  issue_date: CalendarDate,
  ...integration,
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const CreditNote = Type.Object(
  {
    ...shape,
    invoice_number: Type.String({ examples: ['BR-000042'] }),
    total_cents: Type.Integer({ description: 'The total in the currency’s minor unit', examples: [15000] }),
  },
  { description: 'A correction of an invoice, or the document of a refund' },
)
export type CreditNote = Static<typeof CreditNote>

export const CreditNoteRow = Type.Object({ ...shape, series: Type.String() })
export type CreditNoteRow = Static<typeof CreditNoteRow>
export const creditNotesTable = table('credit_notes', 'credit_note', CreditNoteRow, {
  changeable: ['external_id', 'metadata'],
  search: ['number', 'external_id'],
  needs: { created: org('finances') },
})

const NewCreditLine = Closed({
  description: Type.String({ minLength: 1, maxLength: 255 }),
  quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  unit_price: Money,
  invoice_line: Type.Optional(InvoiceLine),
})

export const NewCreditNote = Closed({
  organization_id: Type.Optional(Id),
  reason: Type.String({ minLength: 1, maxLength: 20_000 }),
  amount: Type.Optional({
    ...Money,
    description: 'By default, without lines, all that is left of the invoice',
  }),
  line_items: Type.Optional(Type.Array(NewCreditLine, { minItems: 1, maxItems: 100 })),
  ...givenIntegration,
})
export type NewCreditNote = Static<typeof NewCreditNote>

export const creditNoteListing = listing(
  { created_at: TIME, updated_at: TIME, issue_date: DATE, total: AMOUNT },
  'updated_at',
)
export const CreditNoteFilters = Closed({
  ...Paging,
  ...creditNoteListing.parameters,
  ...externalIdFilter,
  invoice_id: Type.Optional(Id),
  date_from: Type.Optional(CalendarDate),
  date_to: Type.Optional(CalendarDate),
})
export type CreditNoteFilters = Static<typeof CreditNoteFilters>
export const AdministratorsCreditNoteFilters = acrossFilters({
  ...CreditNoteFilters.properties,
  company: Type.Optional(Company),
})
export type AdministratorsCreditNoteFilters = Static<typeof AdministratorsCreditNoteFilters>
