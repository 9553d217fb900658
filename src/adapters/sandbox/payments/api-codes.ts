// Pix and boleto codes at the sandbox payment provider: payment intents that are confirmed when they are made, and then
// attached to an invoice.
import { createHash } from 'node:crypto'
import { brCode, field } from '#ports/br-code.ts'
import { type ApiCall, createdOnce, invalid, missing, required, text, wholeNumber, withAnswer } from './api-call.ts'
import { knownCustomer } from './api-customers.ts'
import { currencyOf, changeInvoice } from './api-invoices.ts'
import { type Company, nowInSeconds } from './company.ts'
import type { PaymentIntent } from './payment-intent.ts'
import type { PaymentIntentRecord } from './records.ts'

export function createPaymentIntent(company: Company, call: ApiCall): Promise<string> {
  return createdOnce(company, { prefix: 'pi', call }, async (id) => {
    const method = required(call, 'payment_method_types[0]')
    if (method !== 'pix' && method !== 'boleto') throw invalid(`Invalid payment_method_types: ${method}`)
    if (currencyOf(call, 'currency') !== 'brl' || required(call, 'confirm') !== 'true') throw invalid('Not supported.')
    const { object: customer } = await knownCustomer(company, required(call, 'customer'))
    const amount = wholeNumber(call, 'amount', 50)
    const object: PaymentIntent = {
      id,
      object: 'payment_intent',
      livemode: false,
      created: nowInSeconds(),
      status: 'requires_action',
      amount,
      currency: 'brl',
      customer: customer.id,
      payment_method_types: [method],
      next_action: method === 'pix' ? pix(company, call, id) : boleto(company, call, { id, amount }),
    }
    const { answers, body } = withAnswer({}, call, object)
    await company.store.write({ kind: 'payment_intent', object, invoice: null, answers, deliveries: [] })
    return body
  })
}

/** Its page is where a test, or who tries the sandbox, pays the code. */
function pix(company: Company, call: ApiCall, id: string) {
  const seconds = wholeNumber(call, 'payment_method_options[pix][expires_after_seconds]', 10)
  return {
    type: 'pix_display_qr_code',
    pix_display_qr_code: {
      data: brCode([
        field('00', '01'),
        field('01', '12'),
        field('26', field('00', 'br.gov.bcb.pix') + field('25', `sandbox.example/${id}`)),
        field('52', '0000'),
        field('53', '986'),
        field('58', 'BR'),
        field('59', 'SANDBOX'),
        field('60', 'NA'),
        field('62', field('05', '***')),
      ]),
      expires_at: nowInSeconds() + seconds,
      hosted_instructions_url: company.payUrl(id),
    },
  }
}

function boleto(company: Company, call: ApiCall, { id, amount }: { id: string; amount: number }) {
  required(call, 'payment_method_data[boleto][tax_id]')
  for (const part of ['line1', 'city', 'state', 'postal_code'])
    required(call, `payment_method_data[billing_details][address][${part}]`)
  if (text(call, 'payment_method_data[billing_details][email]') === null)
    throw invalid('Missing required param: email.')
  const days = wholeNumber(call, 'payment_method_options[boleto][expires_after_days]', 0)
  return {
    type: 'boleto_display_details',
    boleto_display_details: {
      number: lineOf(id, amount),
      expires_at: nowInSeconds() + days * 86_400,
      hosted_voucher_url: company.payUrl(id),
      pdf: company.payUrl(id),
    },
  }
}

/** Forty-seven digits, with the amount at the end, of no bank. */
function lineOf(id: string, amount: number): string {
  const digits = BigInt(`0x${createHash('sha256').update(id).digest('hex')}`)
    .toString()
    .slice(0, 28)
  return `0009${digits}10000${String(amount).padStart(10, '0')}`
}

export function attachPayment(company: Company, call: ApiCall, id: string): Promise<string> {
  return changeInvoice(company, { call, id }, async (invoice) => {
    const intent = await knownIntent(company, required(call, 'payment_intent'))
    if (invoice.status !== 'open') throw invalid(`The invoice is ${invoice.status}.`)
    if (intent.object.status !== 'requires_action') throw invalid('The payment intent is not open.')
    await company.store.write({ ...intent, invoice: id })
    const payment = { type: 'payment_intent' as const, payment_intent: intent.object.id }
    const one = { object: 'invoice_payment' as const, is_default: false, status: 'open' as const, amount_paid: null }
    const others = invoice.payments.data.filter((other) => other.payment.payment_intent !== payment.payment_intent)
    return { ...invoice, payments: { object: 'list', data: [...others, { ...one, payment }] } }
  })
}

export function cancelPaymentIntent(company: Company, _call: ApiCall, id: string): Promise<string> {
  return company.store.exclusively(async () => {
    const record = await knownIntent(company, id)
    if (record.object.status !== 'requires_action')
      throw invalid('You cannot cancel this PaymentIntent.', 'payment_intent_unexpected_state')
    const object: PaymentIntent = { ...record.object, status: 'canceled', next_action: null }
    await company.store.write({ ...record, object })
    return JSON.stringify(object)
  })
}

async function knownIntent(company: Company, id: string): Promise<PaymentIntentRecord> {
  const record = await company.store.read(id)
  if (record?.kind !== 'payment_intent') throw missing('payment_intent', id)
  return record
}
