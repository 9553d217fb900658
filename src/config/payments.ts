// The payment provider of each legal entity, and the settings of Stripe.
import type { Company } from '#kernel/values/schema.ts'
import { isPaymentMethod, methodsProblem, type PaymentMethod } from '#ports/payment-settings.ts'
import { allOf, needed, WrongSettings } from './problems.ts'
import { list, oneOf, secureUrl, stripeKey, stripeWebhookSecrets } from './readers.ts'
import type { ValuesOf, Variables } from './variable.ts'

const providerOf = (label: string) =>
  ({
    meaning: `${label}: \`stripe\`, or \`offline\`: staff record payments by hand`,
    sandboxFallback: 'sandbox',
    required: '"offline" if payments are recorded by hand',
    read: oneOf('stripe', 'offline', 'sandbox'),
  }) as const
const secretKeyOf = (label: string) =>
  ({
    meaning: `${label}: secret or restricted key of its Stripe account; a live key outside the sandbox`,
    read: stripeKey,
    secret: true,
  }) as const
const webhookSecretsOf = (label: string) =>
  ({
    meaning: `${label}: signing secrets of its webhook endpoint at Stripe, by comma; any of them signs`,
    read: stripeWebhookSecrets,
    secret: true,
  }) as const
const methodsOf = (label: string, of: Company, fallback: string) =>
  ({
    meaning: `${label}: what invoices may be paid with, in Stripe’s names, by comma`,
    fallback,
    read: (value: string) => paymentMethods(value, of),
  }) as const

function paymentMethods(value: string, of: Company): PaymentMethod[] {
  const given = [...new Set(list(value))]
  if (given.length === 0) throw new Error('is empty')
  const methods = given.filter(isPaymentMethod)
  if (methods.length < given.length)
    throw new Error('must list payment methods in Stripe’s names such as card,boleto,pix')
  const problem = methodsProblem(methods, of)
  if (problem !== null) throw new Error(problem)
  return methods
}

export const PAYMENTS_BR = {
  provider: { name: 'ENTITY_BR_PAYMENTS', ...providerOf('Brazil') },
  secretKey: { name: 'STRIPE_BR_SECRET_KEY', ...secretKeyOf('Brazil') },
  webhookSecrets: { name: 'STRIPE_BR_WEBHOOK_SECRETS', ...webhookSecretsOf('Brazil') },
  methods: { name: 'STRIPE_BR_METHODS', ...methodsOf('Brazil', 'entity_br', 'card,boleto,pix') },
} as const satisfies Variables

export const PAYMENTS_GLOBAL = {
  provider: { name: 'ENTITY_GLOBAL_PAYMENTS', ...providerOf('Global') },
  secretKey: { name: 'STRIPE_GLOBAL_SECRET_KEY', ...secretKeyOf('Global') },
  webhookSecrets: { name: 'STRIPE_GLOBAL_WEBHOOK_SECRETS', ...webhookSecretsOf('Global') },
  methods: { name: 'STRIPE_GLOBAL_METHODS', ...methodsOf('Global', 'entity_global', 'card') },
} as const satisfies Variables

/** For both accounts. */
export const STRIPE = {
  url: {
    name: 'STRIPE_URL',
    meaning: 'Where Stripe is asked; another address is for tests only (https outside the loopback)',
    fallback: 'https://api.stripe.com',
    read: secureUrl,
  },
} as const satisfies Variables

export type PaymentChoice =
  | { provider: 'stripe'; secretKey: string; webhookSecrets: string[]; url: string }
  | { provider: 'sandbox' }
  /** Staff record payments by hand. */
  | { provider: 'none' }

type Payments = typeof PAYMENTS_BR | typeof PAYMENTS_GLOBAL
type Surroundings = { sandbox: boolean; url: string }

export function paymentChoiceOf(
  variables: Payments,
  values: ValuesOf<Payments>,
  { sandbox, url }: Surroundings,
): PaymentChoice {
  const { name } = variables.provider
  switch (values.provider) {
    case 'offline':
      return { provider: 'none' }
    case 'sandbox':
      if (!sandbox) throw new WrongSettings(`${name} cannot be "sandbox" while SANDBOX is off`)
      return { provider: 'sandbox' }
    case 'stripe': {
      const properties = ['secretKey', 'webhookSecrets'] as const
      const { account } = allOf({
        account: () => needed(variables, values, { properties, because: `${name} is stripe` }),
        mode: () => assertMode(variables.secretKey.name, values.secretKey, sandbox),
      })
      return { ...account, provider: 'stripe', url }
    }
  }
}

/** Events of the other mode are refused, so that payments with a key of the other mode would never be recorded. */
function assertMode(name: string, key: string | null, sandbox: boolean): void {
  if (key === null) return
  const isTest = /^[a-z]+_test_/.test(key)
  if (isTest && !sandbox) throw new WrongSettings(`${name} is a test key; it needs SANDBOX=1`)
  if (!isTest && sandbox) throw new WrongSettings(`${name} is a live key; it needs SANDBOX=0`)
}
