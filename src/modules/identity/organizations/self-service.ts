// What the members of an organization may do with its subscriptions themselves, which staff set.
import { Type } from 'typebox'
import type { SelfService as Act } from '#config/entities.ts'

const ACTS = ['cancel', 'quantity', 'pause'] as const satisfies readonly Act[]

export const SelfService = Type.Array(Type.Enum(ACTS), {
  uniqueItems: true,
  description:
    'What members with the scope `orders` may do with subscriptions: `cancel` at the end of the period, change the ' +
    '`quantity` of lines that have bounds, `pause`; null: as the settings of the legal entity say',
  examples: [['cancel', 'quantity']],
})
