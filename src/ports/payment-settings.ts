// With what customers pay at the payment provider of a legal entity. Each method has its costs, its delays and its
// rules of refunds, so that it is for finance to say.
import { Type } from 'typebox'
import { COMPANIES } from '#kernel/values/schema.ts'
import { CODE_METHODS } from './payment-codes.ts'
import { declared, type SettingsOf } from './setting-declaration.ts'

/** All that Stripe knows for invoices, by its names. */
const PAYMENT_METHODS = [
  'card',
  'boleto',
  'pix',
  'link',
  'ach_credit_transfer',
  'ach_debit',
  'acss_debit',
  'affirm',
  'alipay',
  'amazon_pay',
  'au_becs_debit',
  'bacs_debit',
  'bancontact',
  'billie',
  'blik',
  'cashapp',
  'crypto',
  'custom',
  'customer_balance',
  'eps',
  'fpx',
  'giropay',
  'grabpay',
  'ideal',
  'jp_credit_transfer',
  'kakao_pay',
  'klarna',
  'konbini',
  'kr_card',
  'mb_way',
  'multibanco',
  'naver_pay',
  'nz_bank_account',
  'p24',
  'pay_by_bank',
  'payco',
  'paynow',
  'paypal',
  'payto',
  'promptpay',
  'revolut_pay',
  'satispay',
  'sepa_credit_transfer',
  'sepa_debit',
  'sequra',
  'sofort',
  'swish',
  'twint',
  'upi',
  'us_bank_account',
  'wechat_pay',
] as const
export type PaymentMethod = (typeof PAYMENT_METHODS)[number]
export const isPaymentMethod = (name: string): name is PaymentMethod => PAYMENT_METHODS.some((one) => one === name)

/** Pix and boleto pay in reais, into an account in Brazil. */
export function methodsProblem(methods: readonly string[], of: SettingsOf): string | null {
  const wrong = of === 'entity_br' ? undefined : CODE_METHODS.find((method) => methods.includes(method))
  return wrong === undefined ? null : `has ${wrong}, which is of entity_br alone`
}

export const PAYMENT_SETTINGS = {
  payment_methods: declared({
    of: COMPANIES,
    needs: 'finances',
    schema: Type.Array(Type.Enum(PAYMENT_METHODS), {
      minItems: 1,
      uniqueItems: true,
      description:
        'What invoices may be paid with at the payment provider, by Stripe’s names; each has to be active in the ' +
        'account. `boleto` and `pix` are of `entity_br` alone. Pages that there are keep their methods, ' +
        'codes until they are renewed; subscriptions that the provider charges are paid by card',
      examples: [['card', 'boleto', 'pix']],
    }),
    problemOf: methodsProblem,
    variables: ['STRIPE_BR_METHODS', 'STRIPE_GLOBAL_METHODS'],
    first: ({ paymentMethods }, of) =>
      of === 'entity_global' ? paymentMethods.entity_global : paymentMethods.entity_br,
  }),
} as const
