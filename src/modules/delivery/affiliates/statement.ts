// The statement of an affiliate's account: what changed its balance, in the order in which it did.
import { Type, type Static } from 'typebox'
import { CalendarDate, Closed, Currency, Id, Line, Money, Nullable, Paging, Timestamp } from '#kernel/values/schema.ts'
import { table } from '#kernel/data/table.ts'

const shape = {
  id: Id,
  date: { ...CalendarDate, description: 'In the time zone of the legal entity' },
  kind: Type.Enum(['earned', 'reversed', 'paid_out'], { examples: ['earned'] }),
  amount: { ...Money, description: 'Negative where it lowers the balance', examples: ['18.75'] },
  balance: { ...Money, description: 'After this entry', examples: ['118.75'] },
  currency: Currency,
  commission_id: { ...Nullable(Id), description: 'The referral' },
  payout_id: Nullable(Id),
}

export const StatementEntry = Type.Object(
  { ...shape, reference: { ...Nullable(Line), description: 'Of the payout' } },
  { description: 'A change of an affiliate’s balance' },
)
export type StatementEntry = Static<typeof StatementEntry>

const Row = Type.Object({ ...shape, organization_id: Id, affiliate_id: Id, created_at: Timestamp })
export const entriesTable = table('affiliate_entries', 'statement_entry', Row)

export const StatementPeriod = Closed({
  date_from: Type.Optional({ ...CalendarDate, description: 'Inclusive' }),
  date_to: Type.Optional({ ...CalendarDate, description: 'Inclusive' }),
})
export type StatementPeriod = Static<typeof StatementPeriod>
export const StatementFilters = Closed({ ...Paging, ...StatementPeriod.properties })
export type StatementFilters = Static<typeof StatementFilters>
