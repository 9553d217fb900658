// POST /invoices/{id}/credit-notes: staff credit a part or all of an invoice. It does not refund payments.
import { openCheckoutLater } from '#modules/sales/payments/enqueue-checkout.ts'
import { notUpTo } from '#modules/sales/invoices/amount-up-to.ts'
import type { InvoiceRow } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { replaceCheckout } from '#modules/sales/invoices/replace-checkout.ts'
import { creditable } from '#modules/sales/invoices/sums.ts'
import { creditOf, creditOfDue } from '#modules/sales/invoices/withheld-of-credit.ts'
import { voidInvoice } from '#modules/sales/invoices/void-invoice.ts'
import type { OrganizationContext } from '#kernel/data/context.ts'
import { conflict, invalid } from '#kernel/values/errors.ts'
import { formatMoney, InvalidMoney, parseMoney } from '#kernel/values/money.ts'
import { integrationOf } from '#kernel/values/integration.ts'
import { ownBody } from '#http/organization-body.ts'
import type { CreditLine, CreditNote, NewCreditNote } from './credit-note.ts'
import { restOfLines } from './credited-lines.ts'
import { issueCreditNote } from './issue-credit-note.ts'
import { creditNotes } from './queries.ts'

const CREDITED = ['open', 'uncollectible', 'paid']

export async function creditInvoice(ctx: OrganizationContext, id: number, body: NewCreditNote): Promise<CreditNote> {
  const { reason, ...asked } = ownBody(ctx, body)
  const invoice = await invoices.forChange(ctx, id)
  if (!CREDITED.includes(invoice.status))
    throw conflict('status_not_allowed', `An invoice that is ${invoice.status} cannot be corrected by a credit note`)
  const all = invoice.status === 'paid' ? creditOf(invoice, creditable(invoice)) : creditOfDue(invoice)
  const left = all.amount
  const { amount, lines } = wantedOf(asked, invoice.currency, left)
  if (amount <= 0n || amount > left) {
    const isOfLines = asked.line_items !== undefined && asked.amount === undefined
    const given = isOfLines || asked.amount !== undefined ? amount : null
    const said = `${formatMoney(left, invoice.currency)} in all`
    throw notUpTo(said, given, isOfLines ? 'line_items' : 'amount')
  }
  await assertLeftOfLines(ctx, invoice, lines)
  const credit = amount === left ? all : creditOf(invoice, amount)
  const note = await issueCreditNote(ctx, invoice, { ...credit, reason, lines, given: integrationOf(asked) })
  if (invoice.status !== 'paid') await askForLess(ctx, invoice, amount === left)
  return creditNotes.afterChange(ctx, note.id)
}

/** A line of the invoice is credited at most what is left of it. */
async function assertLeftOfLines(ctx: OrganizationContext, invoice: InvoiceRow, lines: CreditLine[]): Promise<void> {
  if (lines.every(({ invoice_line }) => invoice_line === undefined)) return
  const { credits } = await creditNotes.ofLines(ctx, invoice.id)
  const rest = restOfLines(invoice, credits)
  const problems: Record<string, string> = {}
  for (const [index, { invoice_line: number, total }] of lines.entries()) {
    if (number === undefined) continue
    const left = rest[number - 1]
    const amount = parseMoney(total, invoice.currency)
    if (left === undefined) problems[`line_items.${index}.invoice_line`] = 'is no line of the invoice'
    else if (amount > left)
      problems[`line_items.${index}.unit_price`] =
        `is more than what is left of the line, ${formatMoney(left, invoice.currency)}`
    else rest[number - 1] = left - amount
  }
  if (Object.keys(problems).length > 0) throw invalid(problems)
}

/**
 * Voids the invoice when all of it is credited and nothing was paid, else replaces its checkout by one for the rest
 * (docs/billing.md). The job that finds nothing left to pay marks it as paid.
 */
async function askForLess(ctx: OrganizationContext, invoice: InvoiceRow, isAll: boolean): Promise<void> {
  if (isAll && invoice.amount_paid === invoice.amount_refunded) {
    await voidInvoice(ctx, invoice)
  } else if (invoice.payment_invoice_id !== null) {
    await replaceCheckout(ctx, invoice)
  } else if (isAll) {
    await openCheckoutLater(ctx, invoice.id)
  }
}

type CreditRequest = Pick<NewCreditNote, 'amount' | 'line_items'>

function wantedOf(
  { amount, line_items }: CreditRequest,
  currency: string,
  left: bigint,
): { amount: bigint; lines: CreditLine[] } {
  const problems: Record<string, string> = {}
  const money = (field: string, text: string): bigint => {
    try {
      return parseMoney(text, currency)
    } catch (error) {
      if (!(error instanceof InvalidMoney)) throw error
      problems[field] = error.message
      return 0n
    }
  }
  let sum = 0n
  const lines = (line_items ?? []).map((line, index): CreditLine => {
    const unit = money(`line_items.${index}.unit_price`, line.unit_price)
    const total = unit * BigInt(line.quantity)
    sum += total
    return { ...line, unit_price: formatMoney(unit, currency), total: formatMoney(total, currency) }
  })
  const wanted = amount === undefined ? (line_items ? sum : left) : money('amount', amount)
  if (line_items && wanted !== sum && !problems['amount']) problems['amount'] = 'is not the sum of line_items'
  if (Object.keys(problems).length > 0) throw invalid(problems)
  return { amount: wanted, lines }
}
