// Pix and boleto codes for an invoice at Stripe: one payment intent for each, confirmed at once, so that its answer has
// the code, and attached to the invoice, which it pays (docs.stripe.com/api/invoices/attach_payment).
import type { Stripe } from 'stripe'
import type { Static } from 'typebox'
import type { PaymentCodes } from '#ports/payment-codes.ts'
import { PaymentRefused } from '#ports/payments.ts'
import { type CodeMethod, type CodesRequest } from '#ports/payment-codes.ts'
import { type StripeApi, stripeAmount } from './api.ts'
import { CodeAnswer, idOf, InvoiceAnswer, InvoicePayments } from './shapes.ts'

/** Stripe's longest times: 14 days, and 60. */
const PIX_SECONDS = 14 * 86_400
const BOLETO_DAYS = 60

export async function paymentCodes(api: StripeApi, request: CodesRequest): Promise<PaymentCodes> {
  const pix = await codeOf(api, request, 'pix')
  const boleto = await codeOf(api, request, 'boleto')
  return { pix: pix && pixIn(pix), boleto: boleto && boletoIn(boleto) }
}

/** Null where Stripe refuses: the page of the checkout can still be paid. */
async function codeOf(api: StripeApi, request: CodesRequest, method: CodeMethod) {
  const details = request.methods.includes(method) && request.currency === 'BRL' ? paymentOf(request, method) : null
  if (details === null) return null
  const { reference, customer, currency } = request
  const idempotencyKey = `${request.idempotencyKey}-${method}`
  const intent = {
    amount: stripeAmount(request.amount, currency),
    currency: currency.toLowerCase(),
    customer,
    confirm: true,
    payment_method_types: [method],
    ...details,
  }
  try {
    const made = await api.ask(CodeAnswer, (stripe) => stripe.paymentIntents.create(intent, { idempotencyKey }))
    await attach(api, made.id, { reference, idempotencyKey })
    return made
  } catch (error) {
    if (error instanceof PaymentRefused) return null
    throw error
  }
}

/** One that is of no invoice must not be paid. */
async function attach(
  api: StripeApi,
  payment_intent: string,
  { reference, idempotencyKey }: Pick<CodesRequest, 'reference' | 'idempotencyKey'>,
): Promise<void> {
  try {
    const key = { idempotencyKey: `${idempotencyKey}-attach` }
    await api.ask(InvoiceAnswer, (stripe) => stripe.invoices.attachPayment(reference, { payment_intent }, key))
  } catch (error) {
    if (error instanceof PaymentRefused) await cancel(api, payment_intent)
    throw error
  }
}

type Payment = Pick<Stripe.PaymentIntentCreateParams, 'payment_method_data' | 'payment_method_options'>

/** Null for a payer whom Stripe makes no boleto for. */
function paymentOf({ payer: { name, email, cnpj, address } }: CodesRequest, type: CodeMethod): Payment | null {
  if (type === 'pix')
    return {
      payment_method_data: { type, billing_details: { name, ...(email !== null && { email }) } },
      payment_method_options: { pix: { expires_after_seconds: PIX_SECONDS } },
    }
  if (email === null || cnpj === null || address === null) return null
  const { line, zipcode, ...place } = address
  const at = { line1: line, postal_code: zipcode, country: 'BR', ...place }
  return {
    payment_method_data: { type, boleto: { tax_id: cnpj }, billing_details: { name, email, address: at } },
    payment_method_options: { boleto: { expires_after_days: BOLETO_DAYS } },
  }
}

const moment = (seconds: number | null | undefined): string | null =>
  seconds === null || seconds === undefined ? null : new Date(seconds * 1000).toISOString()

function pixIn({ next_action }: Static<typeof CodeAnswer>): PaymentCodes['pix'] {
  const { data, expires_at } = next_action?.pix_display_qr_code ?? {}
  return data === undefined ? null : { copy_code: data, expires_at: moment(expires_at) }
}

function boletoIn({ next_action }: Static<typeof CodeAnswer>): PaymentCodes['boleto'] {
  const { number, pdf, hosted_voucher_url, expires_at } = next_action?.boleto_display_details ?? {}
  const line = (number ?? '').replaceAll(/[ .]/g, '')
  if (!/^\d{47}$/.test(line)) return null
  return {
    line,
    barcode: barcodeOf(line),
    pdf_url: pdf ?? hosted_voucher_url ?? null,
    expires_at: moment(expires_at),
  }
}

/** The line has the parts of the bar code in another order, with check digits (FEBRABAN, Layout padrão de boleto). */
const barcodeOf = (line: string): string =>
  line.slice(0, 4) + line.slice(32) + line.slice(4, 9) + line.slice(10, 20) + line.slice(21, 31)

/** Those of the invoice that nobody has paid yet. */
export async function cancelCodes(api: StripeApi, invoice: string): Promise<void> {
  const { data } = await api.ask(InvoicePayments, (stripe) =>
    stripe.invoicePayments.list({ invoice, status: 'open', limit: 100 }),
  )
  // The default one ends with the invoice.
  for (const { is_default, payment } of data) {
    const intent = idOf(payment.payment_intent)
    if (!is_default && intent !== null) await cancel(api, intent)
  }
}

async function cancel(api: StripeApi, id: string): Promise<void> {
  try {
    await api.ask(CodeAnswer, (stripe) => stripe.paymentIntents.cancel(id))
  } catch (error) {
    // It is cancelled already, or paid, which is reported.
    if (!(error instanceof PaymentRefused)) throw error
  }
}
