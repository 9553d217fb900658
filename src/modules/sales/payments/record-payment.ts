// Writes a payment, and its surplus into the credit balance. Imports of other areas only what stands below payments.
import { notUpTo } from '#modules/sales/invoices/amount-up-to.ts'
import { balanceAt, enterCredit } from '#modules/sales/credit-balances/change-credit-balance.ts'
import type { InvoiceRow } from '#modules/sales/invoices/invoice.ts'
import { insert } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { invalid } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import { amountField } from '#kernel/values/validation/amount-field.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { type Integration, integrationOf } from '#kernel/values/integration.ts'
import { formatMoney, isCurrency, MAX_MINOR } from '#kernel/values/money.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import { type NewPayment, type Payment, type PaymentSource, paymentsTable } from './payment.ts'
import { payments } from './payment-records.ts'

export type Receipt = {
  method: string | null
  /** Null: the provider did not say when. */
  paidAt: Date | null
  /** By default what is due. */
  amount?: string
  /** Where it was made at the payment provider, which then also makes a refund. */
  at?: { provider: string; reference: string }
  /** The credit balance has been lowered by the amount. */
  isFromBalance?: true
  /** The payment of the organization in whose place it is recorded. */
  movedFrom?: number
  /** Another system had recorded it: nobody is told, and its tax invoice is not issued here. */
  imported?: { reference: string | null }
  /** What whoever records it gives with it. */
  given?: Integration
}

type BilledInvoice = Pick<InvoiceRow, 'company' | 'currency'> & { id: number | null }
type PaymentValues = Omit<Receipt, 'amount' | 'paidAt'> & { paidAt: Date; amount: bigint; surplus: bigint }

export async function recordPayment(
  ctx: OrganizationContext,
  billed: BilledInvoice,
  paid: PaymentValues,
): Promise<Payment> {
  const { company, currency } = billed
  const { at, paidAt, surplus } = paid
  const payment = await insert(ctx, paymentsTable, {
    ...paid.given,
    invoice_id: billed.id,
    company,
    currency,
    amount: formatMoney(paid.amount, currency),
    surplus: formatMoney(surplus, currency),
    source: sourceOf(paid),
    payment_method: paid.method,
    paid_at: paidAt.toISOString(),
    payment_date: dayIn(paidAt, zoneOf(ctx, company)),
    provider: at?.provider ?? null,
    reference: at?.reference ?? paid.imported?.reference ?? null,
    moved_from_id: paid.movedFrom ?? null,
    recorded_by: ctx.caller.userId,
  })
  if (surplus > 0n)
    await enterCredit(ctx, billed, { kind: 'overpaid', amount: surplus, payment_id: payment.id, invoice_id: billed.id })
  return payment
}

function sourceOf({ at, isFromBalance, imported }: PaymentValues): PaymentSource {
  if (at) return 'provider'
  if (isFromBalance) return 'credit_balance'
  return imported ? 'import' : 'by_hand'
}

/**
 * One payment reported twice has one time, or none; another time is a second payment, as boletos can be paid twice. The
 * same payment with another amount is a dead letter.
 */
export async function isReported(
  ctx: OrganizationContext,
  { company, number }: { company: Company; number: string },
  { at, paidAt, amount }: Receipt,
): Promise<boolean> {
  if (!at) return false
  const before = await payments.reported(ctx, { company, ...at })
  const same = before.find((one) => paidAt === null || Date.parse(one.paid_at) === paidAt.getTime())
  if (same && amount !== undefined && same.amount !== amount)
    throw new PermanentFailure(
      `the payment ${at.reference} of invoice ${number} was recorded with ${same.amount} ` +
        `${same.currency}, but the provider speaks of ${amount} now`,
    )
  return same !== undefined
}

/** POST /payments: money that came in before there is an invoice. */
export async function payInAdvance(ctx: OrganizationContext, body: NewPayment): Promise<Payment> {
  const { company, currency, payment_method: method = 'offline', paid_at, ...given } = ownBody(ctx, body)
  if (!isCurrency(currency)) throw invalid({ currency: 'is not a currency in use (ISO 4217)' })
  const amount = amountField('amount', given.amount, currency)
  const most = MAX_MINOR - (await balanceAt(ctx, { company, currency }))
  if (amount <= 0n || amount > most) throw notUpTo(formatMoney(most, currency), amount)
  const paidAt = paid_at === undefined ? ctx.now : new Date(paid_at)
  return recordPayment(
    ctx,
    { company, currency, id: null },
    {
      method,
      paidAt,
      amount,
      surplus: amount,
      given: integrationOf(given),
    },
  )
}
