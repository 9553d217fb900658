// Changes a credit balance and writes the entry, in the caller's transaction. The row is locked, so that entries follow
// one another, and a constraint keeps it from becoming negative.
import { notUpTo } from '#modules/sales/invoices/amount-up-to.ts'
import { insert, update } from '#kernel/data/changes.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid, notFound } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import { amountField } from '#kernel/values/validation/amount-field.ts'
import { dayIn } from '#kernel/values/time/calendar.ts'
import { formatMoney, isCurrency, MAX_MINOR, parseMoney } from '#kernel/values/money.ts'
import type { Company } from '#kernel/values/schema.ts'
import { zoneOf } from '#ports/ports.ts'
import {
  type CreditBalance,
  type CreditBalanceChange,
  type CreditBalanceEntry,
  creditBalanceEntriesTable,
  creditBalancesTable,
} from './credit-balance.ts'
import { creditBalances } from './queries.ts'

type Place = { company: Company; currency: string }
/** `amount` in minor units, negative where it lowers the balance. */
type Entry = { amount: bigint } & Pick<CreditBalanceEntry, 'kind'> &
  Partial<Pick<CreditBalanceEntry, 'payment_id' | 'invoice_id' | 'refund_id' | 'reason'>>

/** POST /credit-balances: staff add to a balance or withdraw from it. */
export async function changeByHand(ctx: OrganizationContext, body: CreditBalanceChange): Promise<CreditBalance> {
  const { company, currency, kind, reason, ...given } = ownBody(ctx, body)
  if (!isCurrency(currency)) throw invalid({ currency: 'is not a currency in use (ISO 4217)' })
  const amount = amountField('amount', given.amount, currency)
  const held = await balanceAt(ctx, { company, currency })
  const most = kind === 'withdrawn' ? held : MAX_MINOR - held
  if (amount <= 0n || amount > most) throw notUpTo(formatMoney(most, currency), amount)
  return enterCredit(ctx, { company, currency }, { kind, amount: kind === 'added' ? amount : -amount, reason })
}

/** In minor units; 0 where there is none yet. */
export async function balanceAt(ctx: OrganizationContext, { company, currency }: Place): Promise<bigint> {
  const found = await creditBalances.at(ctx, company, currency)
  return found === undefined ? 0n : parseMoney(found.amount, currency)
}

export async function creditBalanceForChange(ctx: OrganizationContext, id: number): Promise<CreditBalance> {
  const found = await creditBalances.forChange(ctx, id)
  if (!found) throw notFound()
  return found
}

export async function enterCredit(ctx: OrganizationContext, place: Place, entry: Entry): Promise<CreditBalance> {
  const { company, currency } = place
  const { amount, ...cause } = entry
  const found = await creditBalances.at(ctx, company, currency)
  const balance = (found ? parseMoney(found.amount, currency) : 0n) + amount
  if (balance < 0n) throw conflict('balance_too_low', 'The credit balance is less than that')
  if (balance > MAX_MINOR)
    throw conflict('balance_too_high', 'The credit balance would be larger than any amount can be')
  const sum = formatMoney(balance, currency)
  const changed = found
    ? await update(ctx, creditBalancesTable, found.id, { amount: sum })
    : await insert(ctx, creditBalancesTable, { company, currency, amount: sum })
  await insert(ctx, creditBalanceEntriesTable, {
    ...cause,
    credit_balance_id: changed.id,
    amount: formatMoney(amount, currency),
    balance: sum,
    currency,
    date: dayIn(ctx.now, zoneOf(ctx, company)),
    recorded_by: ctx.caller.userId,
  })
  return changed
}
