// The line of quotes, orders and invoices (spec 2.11): what is sold, how much of it, for how much.
import { Type, type Static } from 'typebox'
import { CLASSES } from '#areas/entitlements/entitlement.ts'
import { Closed, Money, Name, Nullable, Text } from '#kernel/schema.ts'

const EntitlementClass = Type.Enum(CLASSES, { examples: ['PLG'] })

/** A line as it is frozen into orders and invoices: decimal strings, never numbers. */
export const LineItem = Type.Object(
  {
    product_name: Name,
    description: Nullable(Text),
    quantity: Type.Integer({ minimum: 1, examples: [5] }),
    unit_price: Money,
    total: Money,
    entitlement_class: EntitlementClass,
    term_months: Nullable(
      Type.Integer({ minimum: 1, examples: [12], description: 'How long the entitlement lasts; null: without end' }),
    ),
  },
  { description: 'One line of a quote, order or invoice' },
)
export type LineItem = Static<typeof LineItem>

export const NewLineItem = Closed({
  product_name: Name,
  quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  unit_price: Money,
  entitlement_class: EntitlementClass,
  term_months: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 240 }))),
  description: Type.Optional(Nullable(Text)),
})
export type NewLineItem = Static<typeof NewLineItem>
