// The rows of the settings' table for Stripe and for asking it.
import { httpUrl, number, paymentMethods, stripeKey, stripeWebhookSecrets } from './setting-readers.ts'

const stripeKeyOf = (label: string) => ({
  meaning: `${label}: secret or restricted key of its Stripe account; a test key in the sandbox, a live key elsewhere`,
  read: stripeKey,
  secret: true,
})
const stripeSecretsOf = (label: string) => ({
  meaning: `${label}: signing secrets of its webhook endpoint at Stripe, by comma; any of them signs`,
  read: stripeWebhookSecrets,
  secret: true,
})
const stripeMethodsOf = (label: string, fallback: string) => ({
  meaning: `${label}: what invoices may be paid with, in Stripe’s names, by comma`,
  fallback,
  read: paymentMethods,
})

export const PAYMENT_SETTINGS = {
  STRIPE_BR_SECRET_KEY: stripeKeyOf('Brazil'),
  STRIPE_BR_WEBHOOK_SECRETS: stripeSecretsOf('Brazil'),
  STRIPE_BR_METHODS: stripeMethodsOf('Brazil', 'card,boleto,pix'),
  STRIPE_GLOBAL_SECRET_KEY: stripeKeyOf('Global'),
  STRIPE_GLOBAL_WEBHOOK_SECRETS: stripeSecretsOf('Global'),
  STRIPE_GLOBAL_METHODS: stripeMethodsOf('Global', 'card'),
  STRIPE_URL: {
    meaning: 'Where Stripe is asked; another address is for tests only (https outside the loopback)',
    fallback: 'https://api.stripe.com',
    read: httpUrl,
  },
  RECONCILE_AFTER_MINUTES: {
    meaning: 'How long a payment, refund or subscription may go without news before the payment provider is asked',
    fallback: '60',
    read: number(1, 10_080),
  },
}
