// Invoices at the sandbox payment provider: created as drafts, given lines, finalized, then paid or voided.
import { isCurrency } from '#kernel/values/money.ts'
import {
  type ApiCall,
  createdOnce,
  firstAnswer,
  invalid,
  isExpanded,
  listOf,
  metadata,
  missing,
  required,
  text,
  wholeNumber,
  withAnswer,
} from './api-call.ts'
import { knownCustomer } from './api-customers.ts'
import { type Company, nowInSeconds } from './company.ts'
import { draftInvoice, finalized, type NewInvoice, recordOf, withLines } from './invoice.ts'
import type { Invoice, InvoiceLine, InvoiceRecord } from './records.ts'

const MAX_LINES = 250
const LISTED_LINES = 10

/** The invoices of a customer or a subscription, optionally with one status. */
export async function listInvoices(company: Company, call: ApiCall): Promise<string> {
  const [customer, subscription, status] = ['customer', 'subscription', 'status'].map((name) => call.query.get(name))
  const owner = await company.store.read(subscription ?? customer ?? '')
  const ids = owner?.kind === 'customer' || owner?.kind === 'subscription' ? owner.invoices : []
  const records = await Promise.all(ids.map((id) => company.store.read(id)))
  const invoices = records.flatMap((record) => (record?.kind === 'invoice' ? [record.object] : []))
  return listOf(
    call,
    invoices.filter((invoice) => !status || invoice.status === status).map((invoice) => answerOf(invoice, call)),
  )
}

export function createInvoice(company: Company, call: ApiCall): Promise<string> {
  return createdOnce(company, { prefix: 'in', call }, async (id) => {
    const customer = await knownCustomer(company, required(call, 'customer'))
    const object = draftInvoice({ id, customer: customer.object.id, ...asked(call) })
    const { answers, body } = withAnswer({}, call, answerOf(object, call))
    await company.store.write({ ...customer, invoices: [...new Set([...customer.invoices, id])] })
    await company.store.write({ ...recordOf(object), answers })
    return body
  })
}

export async function readInvoice(company: Company, call: ApiCall, id: string): Promise<string> {
  return JSON.stringify(answerOf((await knownInvoice(company, id)).object, call))
}

/** Changes the payment methods only. */
export const updateInvoice = (company: Company, call: ApiCall, id: string): Promise<string> =>
  changeInvoice(company, { call, id }, (invoice) => {
    assertDraft(invoice)
    const types = [...call.fields].filter(([name]) => name.startsWith('payment_settings[payment_method_types]['))
    return { ...invoice, payment_settings: { payment_method_types: types.map(([, type]) => type) } }
  })

export const addLines = (company: Company, call: ApiCall, id: string): Promise<string> =>
  changeInvoice(company, { call, id }, (invoice) => {
    assertDraft(invoice)
    return withLines(invoice, [...invoice.lines.data, ...lines(call, invoice)])
  })

export const finalizeInvoice = (company: Company, call: ApiCall, id: string): Promise<string> =>
  changeInvoice(company, { call, id }, (invoice) => {
    assertDraft(invoice)
    return finalized(invoice, company.payUrl(id))
  })

export const voidInvoice = (company: Company, call: ApiCall, id: string): Promise<string> =>
  changeInvoice(company, { call, id }, (invoice) => {
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
      throw invalid(`You can only pass in open invoices. This invoice is ${invoice.status}.`)
    const status_transitions = { ...invoice.status_transitions, voided_at: nowInSeconds() }
    return { ...invoice, status: 'void', status_transitions }
  })

/** Changes once for each key: a repeat gets the first answer. */
export function changeInvoice(
  company: Company,
  { call, id }: { call: ApiCall; id: string },
  to: (invoice: Invoice) => Invoice | Promise<Invoice>,
): Promise<string> {
  return company.store.exclusively(async () => {
    const record = await knownInvoice(company, id)
    const repeated = firstAnswer(record.answers, call)
    if (repeated !== null) return repeated
    const object = await to(record.object)
    const { answers, body } = withAnswer(record.answers, call, answerOf(object, call))
    await company.store.write({ ...record, object, answers })
    return body
  })
}

async function knownInvoice(company: Company, id: string): Promise<InvoiceRecord> {
  const record = await company.store.read(id)
  if (record?.kind !== 'invoice') throw missing('invoice', id)
  return record
}

/** As at Stripe: the first lines only, and payments only where the call expands them. */
function answerOf({ payments, lines: { data }, ...rest }: Invoice, call: ApiCall): object {
  const firstLines = { object: 'list', has_more: data.length > LISTED_LINES, data: data.slice(0, LISTED_LINES) }
  return { ...rest, lines: firstLines, ...(isExpanded(call, 'payments') && { payments }) }
}

function assertDraft({ status }: Invoice): void {
  if (status !== 'draft') throw invalid("Finalized invoices can't be changed.", 'invoice_not_editable')
}

function asked(call: ApiCall): Pick<NewInvoice, 'currency' | 'custom_fields' | 'metadata'> {
  if (required(call, 'collection_method') !== 'send_invoice') throw invalid('Invalid collection_method.')
  wholeNumber(call, 'days_until_due', 0)
  const [name, value] = [text(call, 'custom_fields[0][name]', 40), text(call, 'custom_fields[0][value]', 140)]
  const custom_fields = name !== null && value !== null ? [{ name, value }] : null
  return { currency: currencyOf(call, 'currency'), custom_fields, metadata: metadata(call) }
}

export function currencyOf(call: ApiCall, name: string): string {
  const currency = required(call, name)
  if (!isCurrency(currency.toUpperCase())) throw invalid(`Invalid currency: ${currency}.`)
  return currency.toLowerCase()
}

function lines(call: ApiCall, { id, lines: { data } }: Invoice): InvoiceLine[] {
  const found: InvoiceLine[] = []
  while (call.fields.has(`lines[${found.length}][description]`)) {
    if (data.length + found.length >= MAX_LINES) throw invalid('Too many lines.')
    const prefix = `lines[${found.length}]`
    found.push({
      id: `il_${id.slice(3)}${data.length + found.length}`,
      object: 'line_item',
      description: required(call, `${prefix}[description]`),
      amount: wholeNumber(call, `${prefix}[amount]`, 0),
    })
  }
  return found
}
