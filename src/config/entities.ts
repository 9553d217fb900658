// The two legal entities that sell, as mails and documents name them, and where they are paid without a provider.
// Both are in use: a quote or an invoice may be of
// either, so outside the sandbox both say who they are.
import type { Company } from '#kernel/values/schema.ts'
import { needed } from './problems.ts'
import { labelledValues, listOf, notBlank, oneOf, pixKey, timeZone } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

const visibleTo = 'areas'

const identity = { required: true, read: notBlank } as const
const nameOf = (label: string) =>
  ({ meaning: `${label}: name on mails and documents`, sandboxFallback: `Titular ${label}`, ...identity }) as const
const taxIdOf = (label: string) =>
  ({ meaning: `${label}: CNPJ or tax number on documents`, sandboxFallback: '', ...identity, visibleTo }) as const
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

const attachmentsOf = (label: string, fallback: string) =>
  ({
    meaning: `${label}: what its mails about money bring, by comma: \`pdf\`, \`xml\` (of tax invoices)`,
    fallback,
    read: listOf(oneOf('pdf', 'xml')),
  }) as const

const bankAccountOf = (label: string) =>
  ({
    meaning:
      `${label}: its bank account, for customers who pay without a provider: \`label: value\` pairs by ` +
      'semicolon, as invoices show them',
    read: labelledValues,
  }) as const

const selfServiceOf = (label: string) =>
  ({
    meaning:
      `${label}: what customers do with their subscriptions themselves, by comma: \`cancel\` at the end of the ` +
      'period, `quantity` within the bounds of the line, `pause`; `none`: nothing. An organization may have its own',
    fallback: 'cancel,quantity',
    read: (value: string) => (value === 'none' ? [] : listOf(oneOf('cancel', 'quantity', 'pause'))(value)),
  }) as const

export const ENTITY_BR = {
  name: { name: 'ENTITY_BR_NAME', ...nameOf('Brazil') },
  taxId: { name: 'ENTITY_BR_TAX_ID', ...taxIdOf('Brazil') },
  address: { name: 'ENTITY_BR_ADDRESS', ...addressOf('Brazil') },
  timeZone: { name: 'ENTITY_BR_TIME_ZONE', ...zoneOf('Brazil', 'America/Sao_Paulo') },
  selfService: { name: 'ENTITY_BR_SELF_SERVICE', ...selfServiceOf('Brazil') },
  attachments: { name: 'ENTITY_BR_MAIL_ATTACHMENTS', ...attachmentsOf('Brazil', 'pdf,xml') },
  bankAccount: { name: 'ENTITY_BR_BANK_ACCOUNT', ...bankAccountOf('Brazil') },
} as const satisfies Variables

export const ENTITY_GLOBAL = {
  name: { name: 'ENTITY_GLOBAL_NAME', ...nameOf('Global') },
  taxId: { name: 'ENTITY_GLOBAL_TAX_ID', ...taxIdOf('Global') },
  address: { name: 'ENTITY_GLOBAL_ADDRESS', ...addressOf('Global') },
  timeZone: { name: 'ENTITY_GLOBAL_TIME_ZONE', ...zoneOf('Global', 'UTC') },
  selfService: { name: 'ENTITY_GLOBAL_SELF_SERVICE', ...selfServiceOf('Global') },
  attachments: { name: 'ENTITY_GLOBAL_MAIL_ATTACHMENTS', ...attachmentsOf('Global', 'pdf') },
  bankAccount: { name: 'ENTITY_GLOBAL_BANK_ACCOUNT', ...bankAccountOf('Global') },
} as const satisfies Variables

export type Entity = { company: Company } & ValuesOf<typeof ENTITY_BR>

/** The key that invoices in reais are paid to where payments are recorded by hand. */
export const PIX = {
  key: {
    name: 'ENTITY_BR_PIX_KEY',
    meaning: 'Brazil: its Pix key, for customers who pay without a provider; invoices show the code with the amount',
    read: pixKey,
  },
  city: {
    name: 'ENTITY_BR_PIX_CITY',
    meaning: 'Brazil: the city that a Pix code names',
    read: notBlank,
  },
} as const satisfies Variables

export type PixKey = { key: string; city: string }

/** Null without a key. */
export const pixKeyOf = (values: ValuesOf<typeof PIX>): PixKey | null =>
  values.key === null ? null : needed(PIX, values, { properties: ['key', 'city'], because: `${PIX.key.name} is set` })
