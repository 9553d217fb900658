// The line of quotes, orders and invoices (spec 2.11): what is sold, how much of it, for how much.
import { Type, type Static } from 'typebox'
import { CLASSES } from '#modules/delivery/entitlements/entitlement.ts'
import { Features } from '#modules/delivery/entitlements/feature.ts'
import { PriceIndex } from '#modules/delivery/price-indexes/price-index.ts'
import { Closed, Id, Interval, Money, Name, Nullable, Percent, Text } from '#kernel/values/schema.ts'

const EntitlementClass = Type.Enum(CLASSES, { examples: ['PLG'] })

/** The most of anything that a line may have. */
export const MOST = 1_000_000
export const Bound = Type.Integer({ minimum: 1, maximum: MOST, examples: [10] })

/** A line as quotes, orders and invoices store it: amounts are decimal strings, never numbers. */
export const LineItem = Type.Object(
  {
    product_name: Name,
    description: Nullable(Text),
    quantity: Type.Integer({ minimum: 1, examples: [5] }),
    unit_price: Money,
    subtotal: { ...Money, description: 'Quantity times unit price' },
    discount: { ...Money, description: 'Amount off the whole line' },
    tax_rate: Nullable({ ...Percent, description: 'Percent of what is left after the discount; null: no tax' }),
    tax: { ...Money, description: 'Added to the price' },
    total: { ...Money, description: 'Subtotal less discount plus tax' },
    entitlement_class: EntitlementClass,
    term_months: Nullable(
      Type.Integer({ minimum: 1, examples: [12], description: 'How long the entitlement lasts; null: without end' }),
    ),
    entitlement_code: Nullable(
      Type.String({
        examples: ['PLG-2026110001'],
        description: 'Code of the entitlement that the line pays for; allocated at acceptance',
      }),
    ),
    product_id: Nullable({ ...Id, description: 'Product of the catalogue; null: entered by hand' }),
    sku: Nullable(Type.String({ examples: ['BACKUP-PRO'] })),
    is_renewal: Type.Optional(
      Type.Boolean({ description: 'Extends the entitlement with the code by the term. Absent: a new entitlement' }),
    ),
    features: Type.Optional({
      ...Features,
      description:
        'What one unit gives. Absent: what its product gives when it is paid; a renewal: what the entitlement has',
    }),
    interval: Type.Optional({
      ...Interval,
      description: 'How often it is billed again; what it pays for lasts as long as it is paid. Absent: billed once',
    }),
    price_index: Type.Optional({
      ...PriceIndex,
      description: 'By which the price of the next term is adjusted. Absent: none was agreed on',
    }),
    quantity_min: Type.Optional({
      ...Bound,
      description: 'Of what is billed again, the least that the customer may change it to. Absent: it is fixed',
    }),
    quantity_max: Type.Optional({ ...Bound, description: 'The most that the customer may change it to' }),
    discount_percent: Type.Optional({ ...Percent, description: 'From which the discount follows the quantity' }),
  },
  { description: 'One line of a quote, order or invoice' },
)
export type LineItem = Static<typeof LineItem>

const fromCatalogue = 'Taken from the catalogue when absent and `product_id` is given; else required'

/** What staff enter. */
export const NewLineItem = Closed({
  product_id: Type.Optional({
    ...Id,
    description: 'Product of the catalogue; it supplies the fields that the line leaves out',
  }),
  product_name: Type.Optional({ ...Name, description: fromCatalogue }),
  quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  unit_price: Type.Optional({ ...Money, description: fromCatalogue }),
  entitlement_class: Type.Optional({ ...EntitlementClass, description: fromCatalogue }),
  term_months: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 240 }))),
  interval: Type.Optional(
    Nullable({
      ...Interval,
      description:
        'How often it is billed again, the same for all lines that are; instead of `term_months`. null: billed once',
    }),
  ),
  description: Type.Optional(Nullable(Text)),
  discount: Type.Optional(Nullable({ ...Money, description: 'Amount off the whole line, at most its subtotal' })),
  discount_percent: Type.Optional(Nullable({ ...Percent, description: 'Instead of `discount`' })),
  tax_percent: Type.Optional(Nullable({ ...Percent, description: 'Percent of what is left after the discount' })),
})
export type NewLineItem = Static<typeof NewLineItem>

/** A line with everything that its amounts are computed from. */
export type PricedLine = Omit<NewLineItem, 'product_name' | 'unit_price' | 'entitlement_class' | 'product_id'> &
  Pick<LineItem, 'product_name' | 'unit_price' | 'entitlement_class'> &
  Partial<Pick<LineItem, 'entitlement_code' | 'product_id' | 'sku' | 'is_renewal' | 'features'>> & {
    price_index?: string | null
    quantity_min?: number | null
    quantity_max?: number | null
  }
