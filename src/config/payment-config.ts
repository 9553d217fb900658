// The payment settings of both legal entities: who takes the money, and what Stripe needs for it.
import type { Company } from '#kernel/values/schema.ts'
import type { SettingValues } from './settings.ts'

export type PaymentChoice = 'sandbox' | 'offline' | 'stripe'
export type StripeSettings = { secretKey: string; webhookSecrets: string[]; methods: string[]; url: string }

const SETTINGS_OF = {
  entity_br: {
    choice: 'ENTITY_BR_PAYMENTS',
    key: 'STRIPE_BR_SECRET_KEY',
    webhooks: 'STRIPE_BR_WEBHOOK_SECRETS',
    methods: 'STRIPE_BR_METHODS',
  },
  entity_global: {
    choice: 'ENTITY_GLOBAL_PAYMENTS',
    key: 'STRIPE_GLOBAL_SECRET_KEY',
    webhooks: 'STRIPE_GLOBAL_WEBHOOK_SECRETS',
    methods: 'STRIPE_GLOBAL_METHODS',
  },
} as const

export const paymentChoiceOf = (values: SettingValues, company: Company): PaymentChoice =>
  values[SETTINGS_OF[company].choice] ?? 'sandbox'

export function stripeSettingsOf(values: SettingValues, company: Company): StripeSettings | null {
  const { key, webhooks, methods } = SETTINGS_OF[company]
  if (paymentChoiceOf(values, company) !== 'stripe') return null
  return {
    secretKey: values[key] ?? '',
    webhookSecrets: values[webhooks] ?? [],
    methods: values[methods] ?? [],
    url: values.STRIPE_URL ?? '',
  }
}

/** A sentence for each thing that is missing or does not go together. */
export function wrongPayments(
  values: SettingValues,
  sandbox: boolean,
  isLoopback: (host: string) => boolean,
): string[] {
  const problems: string[] = []
  for (const { choice, key, webhooks, methods } of Object.values(SETTINGS_OF)) {
    if (values[choice] !== 'stripe') continue
    if (values[key] === null) problems.push(`${key} is missing (${choice} is stripe)`)
    else problems.push(...wrongMode(key, values[key], sandbox))
    if (!values[webhooks]?.length) problems.push(`${webhooks} is missing (${choice} is stripe)`)
    if (!values[methods]?.length) problems.push(`${methods} is empty (${choice} is stripe)`)
  }
  const { protocol, hostname } = new URL(values.STRIPE_URL ?? 'https://api.stripe.com')
  if (protocol !== 'https:' && !isLoopback(hostname.replace(/^\[|\]$/g, '')))
    problems.push('STRIPE_URL must be https outside the loopback')
  return problems
}

/** Events of the other mode are refused, so a key of the other mode would take money that nobody hears of. */
function wrongMode(name: string, key: string, sandbox: boolean): string[] {
  const isTest = /^[a-z]+_test_/.test(key)
  if (isTest && !sandbox) return [`${name} is a test key; it needs SANDBOX=1`]
  if (!isTest && sandbox) return [`${name} is a live key; it needs SANDBOX=0`]
  return []
}
