// The settings of the two legal entities: who they are, and who takes their money.
import { oneOf, optional, text, timeZone } from './setting-readers.ts'

const entityName = (label: string) => ({
  meaning: `${label}: name on mails and documents`,
  fallback: `Titular ${label}`,
  read: text,
})
const entityTaxId = (label: string) => ({ meaning: `${label}: CNPJ or tax number`, fallback: '', read: text })
const entityAddress = (label: string) => ({
  meaning: `${label}: postal address on documents`,
  fallback: '',
  read: text,
})
const entityTimeZone = (label: string, zone: string) => ({
  meaning: `${label}: time zone that decides its dates`,
  fallback: zone,
  read: timeZone,
})
const entityPayments = (label: string) => ({
  meaning: `${label}: \`stripe\`, or \`offline\`: staff record payments by hand; the sandbox when unset there`,
  fallback: '',
  read: optional(oneOf('stripe', 'offline', 'sandbox')),
})

export const SETTINGS_OF_ENTITY_BR = {
  ENTITY_BR_NAME: entityName('Brazil'),
  ENTITY_BR_TAX_ID: entityTaxId('Brazil'),
  ENTITY_BR_ADDRESS: entityAddress('Brazil'),
  ENTITY_BR_TIME_ZONE: entityTimeZone('Brazil', 'America/Sao_Paulo'),
  ENTITY_BR_PAYMENTS: entityPayments('Brazil'),
}

export const SETTINGS_OF_ENTITY_GLOBAL = {
  ENTITY_GLOBAL_NAME: entityName('Global'),
  ENTITY_GLOBAL_TAX_ID: entityTaxId('Global'),
  ENTITY_GLOBAL_ADDRESS: entityAddress('Global'),
  ENTITY_GLOBAL_TIME_ZONE: entityTimeZone('Global', 'UTC'),
  ENTITY_GLOBAL_PAYMENTS: entityPayments('Global'),
}
