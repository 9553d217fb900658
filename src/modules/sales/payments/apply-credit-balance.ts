// Pays an invoice from the organization's credit balance: on request, or by itself where it covers all that is due.
import { type Static, Type } from 'typebox'
import { balanceAt, enterCredit } from '#modules/sales/credit-balances/change-credit-balance.ts'
import { notUpTo } from '#modules/sales/invoices/amount-up-to.ts'
import { type Invoice, invoiceMoves, type InvoiceRow, invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { allows } from '#kernel/data/moves.ts'
import { conflict } from '#kernel/values/errors.ts'
import { ownBody } from '#http/organization-body.ts'
import type { Consumer } from '#kernel/data/events.ts'
import { eventJobKind } from '#kernel/data/job-kinds.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import { amountField } from '#kernel/values/validation/amount-field.ts'
import { formatMoney, parseMoney } from '#kernel/values/money.ts'
import { Closed, Id, Money } from '#kernel/values/schema.ts'
import { settleInvoice } from './settle-invoice.ts'

export const BalanceApplication = Closed({
  organization_id: Type.Optional(Id),
  amount: Type.Optional({ ...Money, description: 'By default as much as there is, and is due' }),
})
export type BalanceApplication = Static<typeof BalanceApplication>

/** POST /invoices/{id}/apply-credit-balance */
export async function applyCreditBalance(
  ctx: OrganizationContext,
  id: number,
  body: BalanceApplication,
): Promise<Invoice> {
  const { amount } = ownBody(ctx, body)
  const invoice = await invoices.forChange(ctx, id)
  if (!allows(invoiceMoves.pay, invoice.status))
    throw conflict('status_not_allowed', `An invoice that is ${invoice.status} cannot be paid`)
  const most = least(await balanceAt(ctx, invoice), parseMoney(invoice.amount_due, invoice.currency))
  if (most === 0n)
    throw conflict('nothing_to_apply', 'There is no credit balance of the legal entity and currency, or nothing is due')
  const wanted = amount === undefined ? most : amountField('amount', amount, invoice.currency)
  if (wanted <= 0n || wanted > most) throw notUpTo(formatMoney(most, invoice.currency), wanted)
  await apply(ctx, invoice, wanted)
  return invoices.afterChange(ctx, id)
}

async function apply(ctx: OrganizationContext, invoice: InvoiceRow, amount: bigint): Promise<void> {
  await enterCredit(ctx, invoice, { kind: 'applied', amount: -amount, invoice_id: invoice.id })
  await settleInvoice(ctx, invoice.id, {
    method: 'credit_balance',
    paidAt: ctx.now,
    amount: formatMoney(amount, invoice.currency),
    isFromBalance: true,
  })
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

const applyToNew = eventJobKind('payments/apply-credit-balance')

/** Only where it covers all that is due: nobody gets an invoice that is paid in part without having asked for it. */
export const applyToNewJob = organizationJob(applyToNew, {
  run: async (ctx, { payload: { resource_id: id } }) => {
    const invoice = await invoices.forChange(ctx, id)
    const due = parseMoney(invoice.amount_due, invoice.currency)
    if (invoice.status === 'open' && due > 0n && (await balanceAt(ctx, invoice)) >= due) await apply(ctx, invoice, due)
  },
})

const { created, finalized, reopened } = invoicesTable.events

export const balanceConsumers: Consumer[] = [created, finalized, reopened].map((event) => ({ event, job: applyToNew }))
