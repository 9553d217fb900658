// Pix and boleto codes for an open checkout, which the provider is asked for after it was opened, and again when one
// has ended. Without them the page of the checkout is paid: nothing waits for them, and nothing fails because of them.
import { type InvoiceRow, invoiceMoves, invoicesTable } from '#modules/sales/invoices/invoice.ts'
import { invoices } from '#modules/sales/invoices/queries.ts'
import { update } from '#kernel/data/changes.ts'
import type { IoContext, OrganizationContext } from '#kernel/data/context.ts'
import { jobKind } from '#kernel/data/job-kinds.ts'
import { allows } from '#kernel/data/moves.ts'
import { organizationJob } from '#kernel/jobs/jobs.ts'
import { type Due, sweepJob } from '#kernel/jobs/sweep.ts'
import { sql } from '#kernel/values/sql.ts'
import { CODE_METHODS, type CodeMethod } from '#ports/payment-codes.ts'
import { providerBehind } from './ask-provider.ts'
import { checkoutKey } from './checkout-key.ts'
import { fetchCodes, fetchCodesLater } from './enqueue-checkout.ts'
import { customerAt } from './payment-customer.ts'
import { billedInvoice } from './queries.ts'

type Codes = NonNullable<InvoiceRow['payment_codes']>
const DAY_MS = 86_400_000
const NO_CODES: Codes = { pix: null, boleto: null }

export const fetchCodesJob = organizationJob(fetchCodes, {
  before: (io, { payload }) => fetchMissing(io, payload.invoice_id, payload.reference),
  run: async (ctx, { payload: { invoice_id: id, reference } }, codes) => {
    if (!codes) return
    const invoice = await invoices.forChange(ctx, id)
    // The checkout was closed, and its codes with it, during the request to the provider.
    if (invoice.payment_invoice_id !== reference || !allows(invoiceMoves.pay, invoice.status)) return
    await update(ctx, invoicesTable, id, { payment_codes: codes, payment_codes_until: nextRoundAt(codes, ctx.now) })
  },
})

/** Those in force and the new ones, and what has ended where the provider gave no other; null: there are none. */
async function fetchMissing(io: IoContext, invoiceId: number, reference: string): Promise<Codes | null> {
  const invoice = await billedInvoice(io, invoiceId)
  if (!invoice || invoice.payment_invoice_id !== reference || !allows(invoiceMoves.pay, invoice.status)) return null
  const { payments, provider } = await providerBehind(io, invoice.company, reference)
  const customer = customerAt(provider, invoice)
  const before = { ...NO_CODES, ...invoice.payment_codes }
  const offered = CODE_METHODS.filter((method) => invoice.payment_methods.includes(method))
  const methods = offered.filter((method) => !isInForce(before[method], io.now))
  if (!payments || customer === null || methods.length === 0) return null
  const { organization_name: name, organization_email: email, organization_cnpj: cnpj } = invoice
  const given = await payments.paymentCodes({
    // Of the round: a refusal is not repeated on another day.
    idempotencyKey: checkoutKey(
      invoice,
      `codes-${reference}-${endsOf(before)}-${Math.floor(io.now.getTime() / DAY_MS)}`,
    ),
    reference,
    customer,
    methods,
    amount: invoice.amount_due,
    currency: invoice.currency,
    payer: { name, email, cnpj, address: invoice.organization_address },
  })
  const codes = { pix: given.pix ?? before.pix, boleto: given.boleto ?? before.boleto }
  return CODE_METHODS.every((method) => codes[method] === null) ? null : codes
}

type Code = Codes[CodeMethod]
const isInForce = (code: Code, now: Date): boolean =>
  code !== null && (code.expires_at === null || Date.parse(code.expires_at) > now.getTime())

/** By which each round has a key of its own. */
const endsOf = (codes: Codes): string =>
  CODE_METHODS.map((method) => (codes[method] === null ? 0 : Date.parse(codes[method].expires_at ?? ''))).join('-')

const aDayAfter = (now: Date): string => new Date(now.getTime() + DAY_MS).toISOString()

/** When the first of them ends; a day later where one has ended, and the provider gave no other. */
const nextRoundAt = (codes: Codes, now: Date): string | null =>
  CODE_METHODS.flatMap((method) => {
    const code = codes[method]
    if (code === null) return []
    return isInForce(code, now) ? (code.expires_at ?? []) : aDayAfter(now)
  })
    .toSorted()
    .at(0) ?? null

/** Codes of open invoices that have ended. */
export const renewCodesJob = sweepJob(jobKind('payments/renew-codes', {}), {
  due: ({ now }) => sql<Due>`
    select organization_id, id, payment_codes_until as due_at from invoices
     where payment_codes_until <= ${now} and status in ('open', 'uncollectible')`,
  act: async (ctx, { id }) => renew(ctx, await invoices.forChange(ctx, id)),
})

async function renew(ctx: OrganizationContext, { id, payment_invoice_id: reference }: InvoiceRow): Promise<void> {
  // Until the job has written when the next one is.
  const next = reference === null ? null : aDayAfter(ctx.now)
  await update(ctx, invoicesTable, id, { payment_codes_until: next })
  if (reference !== null) await fetchCodesLater(ctx, id, reference)
}
