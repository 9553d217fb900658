// The catalogue (docs/interface/delivery.md, Catalogue): what the vendor sells, and its prices per legal entity and
// currency.
import { listing, TIME } from '#kernel/data/lists/listing.ts'
import { Type, type Static } from 'typebox'
import { amountField } from '#kernel/values/validation/amount-field.ts'
import { type Fields, problemsIn } from '#kernel/values/validation/problems.ts'
import { TaxIssueRule } from '#ports/tax-issue-rule.ts'
import { CLASSES } from '#modules/delivery/entitlements/entitlement.ts'
import { Features } from '#modules/delivery/entitlements/feature.ts'
import { externalIdFilter, givenIntegration, integration } from '#kernel/values/integration.ts'
import {
  AnyOf,
  Closed,
  Company,
  Currency,
  Id,
  Interval,
  Money,
  Name,
  Nullable,
  Paging,
  Percent,
  Text,
  Timestamp,
} from '#kernel/values/schema.ts'

const EntitlementClass = Type.Enum(CLASSES, { examples: ['PLG'] })
const Term = Type.Integer({ minimum: 1, maximum: 240, examples: [12] })
const UpdateMonths = Nullable(
  Type.Integer({
    minimum: 1,
    maximum: 240,
    examples: [12],
    description: 'Update period of what is sold, from the payment on; null: as long as the entitlement is active',
  }),
)
const given = { ...Features, description: 'What each unit that is sold from now on gives' }
const Sku = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$',
  maxLength: 64,
  examples: ['BACKUP-PRO'],
  description: 'Unique, ignoring case',
})

/** How what is sold of it is declared in Brazil; null: as the fiscal profile has it for the class. */
const tax = {
  service_code: Nullable(
    Type.String({
      pattern: '^[0-9]{6}([0-9]{3})?$',
      examples: ['010501'],
      description:
        'National code of the service, and the municipal one after it; its NBS and rate are then the ' +
        'product’s too. null: as the fiscal profile has it for the class',
    }),
  ),
  nbs_code: Nullable(
    Type.String({ pattern: '^[0-9]{9}$', examples: ['111032200'], description: 'NBS code of the service' }),
  ),
  iss_rate: Nullable(
    Type.String({ pattern: '^[0-9](\\.[0-9]{1,2})?$', examples: ['2.90'], description: 'ISS in percent, below 10' }),
  ),
  tax_issue_rule: Nullable({
    ...TaxIssueRule,
    description: 'When invoices with it get their tax invoices; null: as the settings say',
  }),
}

export const Price = Type.Object(
  {
    id: Id,
    product_id: Id,
    company: Company,
    currency: Currency,
    unit_price: Money,
    term_months: Nullable({ ...Term, description: 'Term of the entitlement in months; null: without end' }),
    interval: Nullable({ ...Interval, description: 'How often it is billed again; null: billed once' }),
    tax_percent: Nullable(Percent),
    active: Type.Boolean({ description: 'At most one active price for each company and currency' }),
    ended_at: Nullable(Timestamp),
    ...integration,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'The price of a product; it can be ended, not changed' },
)
export type Price = Static<typeof Price>

export const Product = Type.Object(
  {
    id: Id,
    sku: Sku,
    name: Name,
    description: Nullable(Text),
    entitlement_class: EntitlementClass,
    update_months: UpdateMonths,
    ...tax,
    features: given,
    active: Type.Boolean({ description: 'false: not offered any more' }),
    ...integration,
    prices: Type.Array(Price, { description: 'The current prices' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { description: 'A product of the vendor' },
)
export type Product = Static<typeof Product>

export const NewProduct = Closed({
  sku: Sku,
  name: Name,
  entitlement_class: EntitlementClass,
  description: Type.Optional(Nullable(Text)),
  update_months: Type.Optional(UpdateMonths),
  ...Type.Partial(Type.Object(tax)).properties,
  features: Type.Optional(given),
  active: Type.Optional(Type.Boolean()),
  ...givenIntegration,
})
export type NewProduct = Static<typeof NewProduct>

export const ProductChange = Closed({
  sku: Type.Optional(Sku),
  name: Type.Optional(Name),
  entitlement_class: Type.Optional(EntitlementClass),
  description: Type.Optional(Nullable(Text)),
  update_months: Type.Optional(UpdateMonths),
  ...Type.Partial(Type.Object(tax)).properties,
  features: Type.Optional(given),
  active: Type.Optional(Type.Boolean()),
  ...givenIntegration,
})
export type ProductChange = Static<typeof ProductChange>

export const NewPrice = Closed({
  company: Company,
  currency: Currency,
  unit_price: Money,
  term_months: Type.Optional(Nullable(Term)),
  interval: Type.Optional(Nullable({ ...Interval, description: 'Instead of `term_months`' })),
  tax_percent: Type.Optional(Nullable(Percent)),
  ...givenIntegration,
})
export type NewPrice = Static<typeof NewPrice>

export const priceRules = ({ unit_price, currency, term_months, interval }: Partial<NewPrice>): Fields => ({
  ...(unit_price !== undefined &&
    currency !== undefined &&
    problemsIn(() => amountField('unit_price', unit_price, currency))),
  ...(interval && term_months && { term_months: 'cannot be given with interval: it lasts as long as it is paid for' }),
})

export const PriceChange = Closed({
  active: Type.Optional(
    Type.Unsafe<false>({ type: 'boolean', const: false, description: 'Only false: an ended price stays ended' }),
  ),
  ...givenIntegration,
})
export type PriceChange = Static<typeof PriceChange>

export const OfferedProduct = Type.Object(
  Type.Pick(Product, ['id', 'sku', 'name', 'description', 'entitlement_class']).properties,
  { description: 'A product that is sold' },
)
export const OfferedProductFilters = Closed({
  ...Paging,
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or the SKU' })),
  entitlement_class: AnyOf(EntitlementClass),
})
export type OfferedProductFilters = Static<typeof OfferedProductFilters>

export const productListing = listing({ created_at: TIME, updated_at: TIME }, 'updated_at')
export const ProductFilters = Closed({
  ...Paging,
  ...productListing.parameters,
  search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or the SKU' })),
  ...externalIdFilter,
  active: Type.Optional(Type.Boolean()),
  entitlement_class: AnyOf(EntitlementClass),
})
export type ProductFilters = Static<typeof ProductFilters>

export const PriceFilters = Closed({
  ...Paging,
  ...externalIdFilter,
  active: Type.Optional(Type.Boolean()),
  company: Type.Optional(Company),
  currency: Type.Optional(Currency),
})
export type PriceFilters = Static<typeof PriceFilters>
