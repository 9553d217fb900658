// POST /credit-balances/{id}/refund: pays a credit balance out, by hand or through the provider of an overpaid payment.
import { creditBalanceForChange, enterCredit } from '#modules/sales/credit-balances/change-credit-balance.ts'
import { notUpTo } from '#modules/sales/invoices/amount-up-to.ts'
import { payments } from '#modules/sales/payments/payment-records.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { amountField } from '#kernel/values/validation/amount-field.ts'
import { integrationOf } from '#kernel/values/integration.ts'
import { formatMoney, parseMoney } from '#kernel/values/money.ts'
import type { CreditBalance } from '#modules/sales/credit-balances/credit-balance.ts'
import type { NewBalanceRefund, Refund } from './refund.ts'
import { assertPaymentNotDisputed, requestRefund } from './start-refund.ts'

/**
 * The amount leaves the balance at once, so that it is not spent meanwhile; it returns if the refund ends without
 * success.
 */
export async function refundCreditBalance(
  ctx: OrganizationContext,
  id: number,
  body: NewBalanceRefund,
): Promise<Refund> {
  const { reason = null, payment_id, ...given } = ownBody(ctx, body)
  const held = await creditBalanceForChange(ctx, id)
  const { currency } = held
  const most = await mostOf(ctx, held, payment_id)
  if (most === 0n) throw conflict('nothing_to_refund', 'Nothing of the credit balance can be refunded')
  const wanted = given.amount === undefined ? most : amountField('amount', given.amount, currency)
  // The amount of the balance is for the scope `finances`.
  if (wanted <= 0n || wanted > most) throw notUpTo('what is left', wanted)
  const amount = formatMoney(wanted, currency)
  const of = { credit_balance_id: id, payment_id: payment_id ?? null }
  const refund = await requestRefund(ctx, held.company, { ...of, amount, currency, reason, ...integrationOf(given) })
  await enterCredit(ctx, held, { kind: 'refunded', amount: -wanted, refund_id: refund.id })
  return refund
}

async function mostOf(ctx: OrganizationContext, held: CreditBalance, paymentId: number | undefined): Promise<bigint> {
  const { currency, company } = held
  const balance = parseMoney(held.amount, currency)
  if (paymentId === undefined) return balance
  const payment = await payments.surplus(ctx, paymentId)
  if (payment?.currency !== currency || payment.company !== company)
    throw invalid({ payment_id: 'is no payment of the legal entity in the currency' })
  await assertPaymentNotDisputed(ctx, payment)
  const left = parseMoney(payment.left, currency)
  return left < balance ? left : balance
}
