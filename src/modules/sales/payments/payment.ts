// The payment: money that came in, recorded once and never changed (docs/decisions/0058). One that was recorded on the
// wrong invoice ends, and is recorded anew (docs/decisions/0099).
import { acrossFilters } from '#kernel/data/lists/across.ts'
import { AMOUNT, DATE, listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { org } from '#kernel/values/permissions.ts'
import { table } from '#kernel/data/table.ts'
import { externalIdFilter, givenIntegration, integration } from '#kernel/values/integration.ts'
import {
  CalendarDate,
  Closed,
  Company,
  Currency,
  Id,
  Line,
  Money,
  Nullable,
  Paging,
  Timestamp,
} from '#kernel/values/schema.ts'

/**
 * `credit_balance`: no money came in; what the customer had left of earlier payments was used. `import`: another system
 * had recorded it.
 */
export const PAYMENT_SOURCES = ['provider', 'by_hand', 'credit_balance', 'import'] as const
export type PaymentSource = (typeof PAYMENT_SOURCES)[number]

export const Payment = Type.Object(
  {
    id: Id,
    organization_id: Id,
    invoice_id: { ...Nullable(Id), description: 'Null: paid in advance' },
    company: Company,
    currency: Currency,
    amount: Money,
    surplus: { ...Money, description: 'What was more than due, and went to the credit balance', examples: ['0.00'] },
    source: Type.Enum(PAYMENT_SOURCES, {
      examples: ['by_hand'],
      description:
        'Where it was made; `credit_balance`: from what earlier payments left; `import`: recorded in another system',
    }),
    payment_method: Nullable(Line),
    paid_at: Timestamp,
    payment_date: { ...CalendarDate, description: 'In the time zone of the legal entity' },
    provider: Nullable(Line),
    reference: { ...Nullable(Line), description: 'The payment provider’s id, or of an imported one its system’s' },
    moved_at: Nullable({
      ...Timestamp,
      description: 'Since when it does not count: it was recorded on the wrong invoice, and is recorded anew',
    }),
    moved_from_id: Nullable({ ...Id, description: 'The payment of the organization that it was recorded in place of' }),
    recorded_by: { ...Nullable(Id), description: 'Who recorded it; null: the payment provider reported it' },
    ...integration,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'Money that an organization has paid' },
)
export type Payment = Static<typeof Payment>
export const paymentsTable = table('payments', 'payment', Payment, {
  events: ['moved'],
  changeable: ['external_id', 'metadata', 'moved_at'],
  needs: { created: org('finances'), moved: org('finances') },
  search: ['reference', 'external_id'],
})

export const paymentListing = listing(
  { created_at: TIME, updated_at: TIME, payment_date: DATE, amount: AMOUNT },
  'updated_at',
)
export const PaymentFilters = Closed({
  ...Paging,
  ...paymentListing.parameters,
  ...externalIdFilter,
  date_from: Type.Optional({ ...CalendarDate, description: 'Of `payment_date`, inclusive' }),
  date_to: Type.Optional({ ...CalendarDate, description: 'Inclusive' }),
})
export type PaymentFilters = Static<typeof PaymentFilters>
export const AdministratorsPaymentFilters = acrossFilters({
  ...PaymentFilters.properties,
  company: Type.Optional(Company),
})
export type AdministratorsPaymentFilters = Static<typeof AdministratorsPaymentFilters>
export const PaymentFiltersOfInvoice = Closed(Paging)
export type PaymentFiltersOfInvoice = Static<typeof PaymentFiltersOfInvoice>

export const NewPayment = Closed({
  organization_id: Type.Optional(Id),
  company: Company,
  currency: Currency,
  amount: Money,
  payment_method: Type.Optional(Line),
  paid_at: Type.Optional(Timestamp),
  ...givenIntegration,
})
export type NewPayment = Static<typeof NewPayment>

/** One that another system had recorded. */
export const BroughtPayment = Closed({
  amount: Money,
  paid_at: Timestamp,
  payment_method: Type.Optional(Line),
  reference: Type.Optional(Line),
})
export type BroughtPayment = Static<typeof BroughtPayment>

const Reason = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: '\\S',
  examples: ['A transfer of another customer'],
})

export const PaymentMove = Closed({
  organization_id: Type.Optional(Id),
  invoice_id: { ...Id, description: 'The invoice that it was paid for' },
  to_organization_id: Type.Optional({ ...Id, description: 'The organization of this invoice, if it is another one' }),
  reason: Type.Optional({ ...Reason, description: 'Kept in the audit log of the organization that had it' }),
})
export type PaymentMove = Static<typeof PaymentMove>

export const MovedPayment = Type.Object(
  {
    ...Payment.properties,
    moved_to_id: {
      ...Nullable(Id),
      description: 'The payment that was recorded in its place; null where another organization gets it',
    },
  },
  { description: 'A payment that does not count any more' },
)
export type MovedPayment = Static<typeof MovedPayment>
