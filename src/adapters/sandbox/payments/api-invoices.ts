// Invoices at the sandbox payment provider. Unlike Stripe's, one call makes an invoice with its lines and finalizes it.
import { isCurrency } from '#kernel/values/money.ts'
import {
  type ApiCall,
  createdOnce,
  firstAnswer,
  invalid,
  metadata,
  missing,
  required,
  wholeNumber,
  withAnswer,
} from './api-call.ts'
import { nowInSeconds, type Company } from './company.ts'
import type { Invoice } from './records.ts'

const MAX_LINES = 250

export function createInvoice(company: Company, call: ApiCall): Promise<string> {
  return createdOnce(company, 'in', call, async (id) => {
    const customer = required(call, 'customer')
    if ((await company.store.read(customer))?.kind !== 'customer') throw missing('customer', customer)
    const object = newInvoice(call, { id, customer, url: company.payUrl(id) })
    const { answers, body } = withAnswer({}, call, object)
    await company.store.write({ kind: 'invoice', object, refunds: {}, answers, deliveries: [] })
    return body
  })
}

/** Only an open invoice; the same idempotency key repeats the first answer. */
export function voidInvoice(company: Company, call: ApiCall, id: string): Promise<string> {
  return company.store.exclusively(async () => {
    const record = await company.store.read(id)
    if (record?.kind !== 'invoice') throw missing('invoice', id)
    const repeated = firstAnswer(record.answers, call)
    if (repeated) return repeated
    if (record.object.status !== 'open') throw invalid("You can only pass in open invoices. This invoice isn't open.")
    const object: Invoice = {
      ...record.object,
      status: 'void',
      status_transitions: { ...record.object.status_transitions, voided_at: nowInSeconds() },
    }
    const { answers, body } = withAnswer(record.answers, call, object)
    await company.store.write({ ...record, object, answers })
    return body
  })
}

export async function readInvoice(company: Company, _call: ApiCall, id: string): Promise<string> {
  const record = await company.store.read(id)
  if (record?.kind !== 'invoice') throw missing('invoice', id)
  return JSON.stringify(record.object)
}

function newInvoice(call: ApiCall, made: { id: string; customer: string; url: string }): Invoice {
  const currency = currencyOf(call)
  const amount = wholeNumber(call, 'amount', 1)
  const data = lines(call)
  if (data.length > 0 && data.reduce((sum, line) => sum + line.amount, 0) !== amount)
    throw invalid('The amounts of the lines must add up to the amount.')
  return {
    ...openInvoice({ ...made, currency, amount, number: required(call, 'number') }),
    lines: { object: 'list', data },
    metadata: metadata(call),
  }
}

export function currencyOf(call: ApiCall): string {
  const currency = required(call, 'currency').toLowerCase()
  if (!isCurrency(currency.toUpperCase())) throw invalid(`Invalid currency: ${currency}.`)
  return currency
}

type Opened = { id: string; customer: string; url: string; currency: string; amount: number; number: string }

export function openInvoice({ id, customer, url, currency, amount, number }: Opened): Invoice {
  const created = nowInSeconds()
  return {
    id,
    object: 'invoice',
    livemode: false,
    created,
    status: 'open',
    number,
    customer,
    currency,
    total: amount,
    amount_due: amount,
    amount_paid: 0,
    amount_remaining: amount,
    attempt_count: 0,
    hosted_invoice_url: url,
    lines: { object: 'list', data: [] },
    metadata: {},
    payment_settings: { payment_method_types: ['card'] },
    payments: { object: 'list', data: [] },
    status_transitions: { finalized_at: created, paid_at: null, voided_at: null, marked_uncollectible_at: null },
    last_payment_error: null,
  }
}

function lines(call: ApiCall): Invoice['lines']['data'] {
  const found: Invoice['lines']['data'] = []
  while (call.fields.has(`lines[${found.length}][description]`)) {
    if (found.length >= MAX_LINES) throw invalid('Too many lines.')
    const prefix = `lines[${found.length}]`
    const quantity = wholeNumber(call, `${prefix}[quantity]`, 0)
    const unitAmount = wholeNumber(call, `${prefix}[unit_amount]`, 0)
    // What a line comes to after its discount and tax; Stripe's invoice items have one amount as well.
    const hasAmount = call.fields.has(`${prefix}[amount]`)
    const amount = hasAmount ? wholeNumber(call, `${prefix}[amount]`, 0) : quantity * unitAmount
    if (!Number.isSafeInteger(amount)) throw invalid(`Invalid integer: ${prefix}[quantity]`)
    const description = required(call, `${prefix}[description]`)
    found.push({
      object: 'line_item',
      description,
      quantity,
      amount,
      pricing: { unit_amount_decimal: String(unitAmount) },
    })
  }
  return found
}
