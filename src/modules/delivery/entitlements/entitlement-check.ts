// The question whether the organization may use something, and its answer (docs/interface/delivery.md).
import { Type, type Static } from 'typebox'
import { Closed, Id, Nullable, Timestamp } from '#kernel/values/schema.ts'
import { EntitlementClass, statusReason } from './entitlement.ts'
import { FeatureKey, FeatureValue } from './feature.ts'

const AsOf = { ...Timestamp, description: 'A moment in the past, instead of now' }
export const EntitlementMoment = Closed({ as_of: Type.Optional(AsOf) })

export const EntitlementQuestion = Closed({
  product_id: Type.Optional({ ...Id, description: 'By product; not with `class`' }),
  class: Type.Optional(EntitlementClass),
  feature: Type.Optional({
    ...FeatureKey,
    description: 'By feature, of all entitlements or of those of a product or class',
  }),
  as_of: EntitlementMoment.properties.as_of,
})
export type EntitlementQuestion = Static<typeof EntitlementQuestion>

export const REASONS = ['active', 'none', 'suspended', 'expired', 'not_yet', 'cancelled', 'feature_off'] as const
export type CheckReason = (typeof REASONS)[number]

export const MOST_NAMED = 100

export const EntitlementCheck = Type.Object(
  {
    allowed: Type.Boolean(),
    reason: Type.Enum(REASONS, {
      description: '`active` is allowed, all others are not',
      examples: ['active'],
    }),
    explanation: Type.String({ description: 'The reason as a sentence', examples: ['It may be used'] }),
    quantity: Type.Integer({
      minimum: 0,
      description: 'Units of all entitlements that allow it; 0 when none does',
      examples: [5],
    }),
    value: Nullable({
      ...FeatureValue,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        'Of the feature: true; the sum of the numbers, each for every unit; or the text of the entitlement ' +
        'that ends last. Null when not asked for or not allowed',
    }),
    until: Nullable({ ...Timestamp, description: 'The latest end; null: without end, or not allowed' }),
    ...statusReason,
    entitlement_ids: Type.Array(Id, {
      maxItems: MOST_NAMED,
      description: `What the answer rests on, of which the last to end comes first; ${MOST_NAMED} at most`,
    }),
    as_of: { ...Timestamp, description: 'The moment that the answer is for' },
  },
  { description: 'Whether the organization may use something, and why not' },
)
export type EntitlementCheck = Static<typeof EntitlementCheck>
