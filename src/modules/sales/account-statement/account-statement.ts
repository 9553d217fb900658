// The statement of account: what changed an organization's account at a legal entity in a currency, day by day.
import { Type, type Static } from 'typebox'
import { CalendarDate, Closed, Company, Currency, Id, Line, Money, Nullable } from '#kernel/values/schema.ts'

/** The kinds of lines, in the order in which those of one day are listed. */
export const LINE_KINDS = [
  'invoice',
  'invoice_voided',
  'credit_note',
  'tax_withheld',
  'payment',
  'refund',
  'credit_added',
  'credit_withdrawn',
  'credit_refunded',
  'credit_refund_ended',
] as const
export type LineKind = (typeof LINE_KINDS)[number]

const balance = { ...Money, description: 'What is owed; negative where the customer has credit', examples: ['-50.00'] }

export const StatementLine = Type.Object({
  date: { ...CalendarDate, description: 'In the time zone of the legal entity' },
  kind: Type.Enum(LINE_KINDS, {
    examples: ['payment'],
    description:
      'Lines that begin with `credit_`, but credit notes, are of the credit balance. `tax_withheld`: the taxes that ' +
      'the customer keeps back of an invoice, and what a credit note or the void of the invoice takes back of them',
  }),
  id: { ...Id, description: 'Of the invoice, credit note, payment, refund or entry of the credit balance' },
  reference: { ...Nullable(Line), description: 'Its number, if it has one', examples: ['BR-000042'] },
  amount: { ...Money, description: 'Negative where less is owed', examples: ['-150.00'] },
  balance,
})
export type StatementLine = Static<typeof StatementLine>

export const AccountStatement = Type.Object(
  {
    organization_id: Id,
    company: Company,
    currency: Currency,
    date_from: Nullable(CalendarDate),
    date_to: Nullable(CalendarDate),
    opening: { ...balance, description: 'What was owed before the first line' },
    lines: Type.Array(StatementLine),
    closing: { ...balance, description: 'The opening and all lines: what is owed, less the credit balance' },
  },
  { description: 'What changed an organization’s account' },
)
export type AccountStatement = Static<typeof AccountStatement>

export const StatementPeriod = Closed({
  company: Company,
  currency: Currency,
  date_from: Type.Optional({ ...CalendarDate, description: 'Inclusive; by default from the beginning' }),
  date_to: Type.Optional({ ...CalendarDate, description: 'Inclusive; by default to the last line' }),
})
export type StatementPeriod = Static<typeof StatementPeriod>
