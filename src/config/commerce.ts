// The commerce platform of each legal entity, and the keys of its shop.
import { needed, WrongSettings } from './problems.ts'
import { oneOf, secureUrl, text, sharedSecrets } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

const platformOf = (label: string) =>
  ({
    meaning:
      `${label}: \`own\`, the service’s own orders alone, or \`woocommerce\`: a shop has a copy of each, ` +
      'and its orders are imported',
    fallback: 'own',
    sandboxFallback: 'sandbox',
    read: oneOf('own', 'woocommerce', 'sandbox'),
  }) as const
const urlOf = (label: string) =>
  ({ meaning: `${label}: address of the shop’s WordPress (https outside the loopback)`, read: secureUrl }) as const
const keyOf = (label: string) =>
  ({ meaning: `${label}: consumer key of the shop’s REST API, with read and write permission`, read: text }) as const
const secretOf = (label: string) => ({ meaning: `${label}: its consumer secret`, read: text, secret: true }) as const
const webhookSecretsOf = (label: string) =>
  ({
    meaning: `${label}: secrets of the shop’s webhooks for orders, by comma; any of them signs`,
    read: sharedSecrets,
    secret: true,
  }) as const

export const COMMERCE_BR = {
  platform: { name: 'ENTITY_BR_COMMERCE', ...platformOf('Brazil') },
  url: { name: 'WOOCOMMERCE_BR_URL', ...urlOf('Brazil') },
  consumerKey: { name: 'WOOCOMMERCE_BR_KEY', ...keyOf('Brazil') },
  consumerSecret: { name: 'WOOCOMMERCE_BR_SECRET', ...secretOf('Brazil') },
  webhookSecrets: { name: 'WOOCOMMERCE_BR_WEBHOOK_SECRETS', ...webhookSecretsOf('Brazil') },
} as const satisfies Variables

export const COMMERCE_GLOBAL = {
  platform: { name: 'ENTITY_GLOBAL_COMMERCE', ...platformOf('Global') },
  url: { name: 'WOOCOMMERCE_GLOBAL_URL', ...urlOf('Global') },
  consumerKey: { name: 'WOOCOMMERCE_GLOBAL_KEY', ...keyOf('Global') },
  consumerSecret: { name: 'WOOCOMMERCE_GLOBAL_SECRET', ...secretOf('Global') },
  webhookSecrets: { name: 'WOOCOMMERCE_GLOBAL_WEBHOOK_SECRETS', ...webhookSecretsOf('Global') },
} as const satisfies Variables

export type CommerceChoice =
  | { platform: 'own' }
  | { platform: 'sandbox' }
  | { platform: 'woocommerce'; url: string; consumerKey: string; consumerSecret: string; webhookSecrets: string[] }

type Commerce = typeof COMMERCE_BR | typeof COMMERCE_GLOBAL

export function commerceChoiceOf(
  variables: Commerce,
  values: ValuesOf<Commerce>,
  { sandbox }: { sandbox: boolean },
): CommerceChoice {
  const { platform } = values
  if (platform === 'sandbox' && !sandbox)
    throw new WrongSettings(`${variables.platform.name} cannot be "sandbox" while SANDBOX is off`)
  if (platform !== 'woocommerce') return { platform }
  const properties = ['url', 'consumerKey', 'consumerSecret', 'webhookSecrets'] as const
  const shop = needed(variables, values, { properties, because: `${variables.platform.name} is woocommerce` })
  return { ...shop, platform: 'woocommerce' }
}
