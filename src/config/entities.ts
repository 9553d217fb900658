// The two legal entities that sell, as mails and documents name them. Both are in use: a quote or an invoice may be of
// either, so outside the sandbox both say who they are.
import type { Company } from '#kernel/values/schema.ts'
import { notBlank, timeZone } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

const visibleTo = 'areas'

const identity = { required: true, read: notBlank, visibleTo } as const
const nameOf = (label: string) =>
  ({ meaning: `${label}: name on mails and documents`, sandboxFallback: `Titular ${label}`, ...identity }) as const
const taxIdOf = (label: string) =>
  ({ meaning: `${label}: CNPJ or tax number on documents`, sandboxFallback: '', ...identity }) as const
const addressOf = (label: string) =>
  ({ meaning: `${label}: postal address on documents`, sandboxFallback: '', ...identity }) as const
const zoneOf = (label: string, fallback: string) =>
  ({
    meaning: `${label}: time zone that decides its dates`,
    fallback,
    // The check of a time zone reads Intl's tables: 15 ms of every start.
    read: (given: string) => (given === fallback ? given : timeZone(given)),
    visibleTo,
  }) as const

export const ENTITY_BR = {
  name: { name: 'ENTITY_BR_NAME', ...nameOf('Brazil') },
  taxId: { name: 'ENTITY_BR_TAX_ID', ...taxIdOf('Brazil') },
  address: { name: 'ENTITY_BR_ADDRESS', ...addressOf('Brazil') },
  timeZone: { name: 'ENTITY_BR_TIME_ZONE', ...zoneOf('Brazil', 'America/Sao_Paulo') },
} as const satisfies Variables

export const ENTITY_GLOBAL = {
  name: { name: 'ENTITY_GLOBAL_NAME', ...nameOf('Global') },
  taxId: { name: 'ENTITY_GLOBAL_TAX_ID', ...taxIdOf('Global') },
  address: { name: 'ENTITY_GLOBAL_ADDRESS', ...addressOf('Global') },
  timeZone: { name: 'ENTITY_GLOBAL_TIME_ZONE', ...zoneOf('Global', 'UTC') },
} as const satisfies Variables

export type Entity = { company: Company } & ValuesOf<typeof ENTITY_BR>
