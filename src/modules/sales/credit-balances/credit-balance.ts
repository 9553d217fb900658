// The credit balance of an organization at a legal entity in a currency, and its entries (docs/decisions/0058).
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { Type, type Static } from 'typebox'
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { table } from '#kernel/data/table.ts'
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

export const CreditBalance = Type.Object(
  {
    id: Id,
    organization_id: Id,
    company: Company,
    currency: Currency,
    amount: { ...Money, description: 'The sum of the entries, never negative' },
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'What an organization has paid beyond what was due, at one legal entity in one currency' },
)
export type CreditBalance = Static<typeof CreditBalance>
export const creditBalancesTable = table('credit_balances', 'credit_balance', CreditBalance)

export const ENTRY_KINDS = [
  'overpaid',
  'applied',
  'returned',
  'added',
  'withdrawn',
  'refunded',
  'refund_ended',
  'moved',
] as const

export const CreditBalanceEntry = Type.Object(
  {
    id: Id,
    organization_id: Id,
    credit_balance_id: Id,
    kind: Type.Enum(ENTRY_KINDS, {
      examples: ['overpaid'],
      description:
        '`returned`: from a refund of a payment that was made from it; `refund_ended`: a refund of it ' +
        'failed or was rejected; `moved`: with a payment that was recorded on the wrong invoice',
    }),
    amount: { ...Money, description: 'Negative where it lowers the balance', examples: ['-50.00'] },
    balance: { ...Money, description: 'After this entry', examples: ['100.00'] },
    currency: Currency,
    date: { ...CalendarDate, description: 'In the time zone of the legal entity' },
    payment_id: Nullable(Id),
    invoice_id: Nullable(Id),
    refund_id: Nullable(Id),
    reason: Nullable(Text),
    recorded_by: Nullable(Id),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A change of a credit balance' },
)
export type CreditBalanceEntry = Static<typeof CreditBalanceEntry>
export const creditBalanceEntriesTable = table('credit_balance_entries', 'credit_balance_entry', CreditBalanceEntry)

export const creditBalanceListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const CreditBalanceFilters = Closed({ ...Paging, ...creditBalanceListing.parameters })
export type CreditBalanceFilters = Static<typeof CreditBalanceFilters>
export const AdministratorsCreditBalanceFilters = acrossFilters({
  ...CreditBalanceFilters.properties,
  company: Type.Optional(Company),
})
export type AdministratorsCreditBalanceFilters = Static<typeof AdministratorsCreditBalanceFilters>

export const CreditBalanceChange = Closed({
  organization_id: Type.Optional(Id),
  company: Company,
  currency: Currency,
  kind: Type.Enum(['added', 'withdrawn'], { examples: ['added'] }),
  amount: Money,
  reason: Type.String({ minLength: 1, maxLength: 20_000 }),
})
export type CreditBalanceChange = Static<typeof CreditBalanceChange>
