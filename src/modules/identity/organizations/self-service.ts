// What the members of an organization may do with its subscriptions themselves, and see of it, which staff set.
import { Type } from 'typebox'
import { Nullable } from '#kernel/values/schema.ts'
import type { SelfService as Act } from '#ports/company-settings.ts'
import { HiddenScopes } from './hidden-scopes.ts'

const ACTS = ['cancel', 'quantity', 'pause'] as const satisfies readonly Act[]

const SelfService = Type.Array(Type.Enum(ACTS), {
  uniqueItems: true,
  description:
    'What members with the scope `orders` may do with subscriptions: `cancel` at the end of the period, change the ' +
    '`quantity` of lines that have bounds, `pause`; null: as the settings of the legal entity say',
  examples: [['cancel', 'quantity']],
})

export const limitsOfMembers = { self_service: Nullable(SelfService), hidden_scopes: Nullable(HiddenScopes) }
