// A feature of a product, which each unit that is sold of it gives (docs/interface/delivery.md): on or off, a whole
// number, or a text.
import { Type, type Static } from 'typebox'
import type { Fields } from '#kernel/values/validation/problems.ts'
import { Closed } from '#kernel/values/schema.ts'

export const FeatureKey = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,49}$',
  maxLength: 50,
  examples: ['max_users'],
})

const LARGEST_NUMBER = 1_000_000_000

export const FeatureValue = Type.Unsafe<boolean | number | string>({
  type: ['boolean', 'integer', 'string'],
  minimum: 0,
  maximum: LARGEST_NUMBER,
  minLength: 1,
  maxLength: 255,
  pattern: '\\S',
  examples: [50],
})

const TYPES = ['boolean', 'number', 'text'] as const

export const Feature = Closed(
  {
    key: FeatureKey,
    type: Type.Enum(TYPES, { examples: ['number'] }),
    value: { ...FeatureValue, description: 'true or false, a whole number, or a text, as the type says' },
  },
  { description: 'What one unit gives' },
)
export type Feature = Static<typeof Feature>

const MOST = 50
export const Features = Type.Array(Feature, { maxItems: MOST })
export type Features = Static<typeof Features>

const VALUES: Record<Feature['type'], { kind: string; words: string }> = {
  boolean: { kind: 'boolean', words: 'true or false' },
  number: { kind: 'number', words: 'a whole number' },
  text: { kind: 'string', words: 'a text' },
}

/** What the schema cannot express: each key once, with a value of its type. */
export function featureRules({ features = [] }: { features?: Features | undefined }): Fields {
  const problems: Fields = {}
  const keys = new Set<string>()
  for (const [index, { key, type, value }] of features.entries()) {
    if (keys.has(key)) problems[`features.${index}.key`] = 'is there more than once'
    keys.add(key)
    const { kind, words } = VALUES[type]
    if (typeof value !== kind) problems[`features.${index}.value`] = `must be ${words}`
  }
  return problems
}
