// For tests: the calls of Stripe's API that the adapter makes, form fields in, objects out.
import {
  type Account,
  type Customer,
  type Invoice,
  known,
  missing,
  newId,
  refusal,
  type Refund,
  Refusal,
  type Subscription,
} from './account.ts'
import type { Form } from './stripe.ts'

type Call = { account: Account; form: Form; query: URLSearchParams; id: string }
type Endpoint = { method: string; path: RegExp; run: (call: Call) => object }

export const ENDPOINTS: readonly Endpoint[] = [
  { method: 'POST', path: /^\/v1\/customers()$/, run: createCustomer },
  { method: 'POST', path: /^\/v1\/customers\/(\w+)$/, run: updateCustomer },
  { method: 'POST', path: /^\/v1\/customers\/(\w+)\/tax_ids$/, run: createTaxId },
  { method: 'GET', path: /^\/v1\/invoices()$/, run: listInvoices },
  { method: 'POST', path: /^\/v1\/invoices()$/, run: createInvoice },
  { method: 'GET', path: /^\/v1\/invoices\/(\w+)$/, run: ({ account, id }) => invoiceOf(account, id) },
  { method: 'POST', path: /^\/v1\/invoices\/(\w+)$/, run: updateInvoice },
  { method: 'POST', path: /^\/v1\/invoices\/(\w+)\/add_lines$/, run: addLines },
  { method: 'POST', path: /^\/v1\/invoices\/(\w+)\/finalize$/, run: finalizeInvoice },
  { method: 'POST', path: /^\/v1\/invoices\/(\w+)\/void$/, run: voidInvoice },
  { method: 'GET', path: /^\/v1\/refunds()$/, run: listRefunds },
  { method: 'POST', path: /^\/v1\/refunds()$/, run: createRefund },
  { method: 'GET', path: /^\/v1\/refunds\/(\w+)$/, run: ({ account, id }) => known(account.refunds, 'refund', id) },
  { method: 'GET', path: /^\/v1\/payment_intents\/(\w+)$/, run: readIntent },
  { method: 'POST', path: /^\/v1\/products()$/, run: () => ({ id: newId('prod'), object: 'product' }) },
  { method: 'POST', path: /^\/v1\/subscriptions()$/, run: createSubscription },
  { method: 'GET', path: /^\/v1\/subscriptions\/(\w+)$/, run: readSubscription },
  { method: 'DELETE', path: /^\/v1\/subscriptions\/(\w+)$/, run: cancelSubscription },
]

const invoiceOf = (account: Account, id: string): Invoice => known(account.invoices, 'invoice', id)

const metadataOf = (form: Form): Form =>
  Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      const key = /^metadata\[(\w+)\]$/.exec(name)?.[1]
      return key === undefined ? [] : [[key, value]]
    }),
  )

function needed(form: Form, name: string): string {
  const value = form[name]
  if (!value) throw refusal(`Missing required param: ${name}.`, 'parameter_missing')
  return value
}

function minor(form: Form, name: string): number {
  const value = needed(form, name)
  if (!/^\d{1,12}$/.test(value)) throw refusal(`Invalid integer: ${value}`, 'parameter_invalid_integer')
  return Number(value)
}

function createCustomer({ account, form }: Call): Customer {
  const customer: Customer = {
    id: newId('cus'),
    object: 'customer',
    name: form['name'] ?? null,
    email: form['email'] ?? null,
    metadata: metadataOf(form),
  }
  account.customers.set(customer.id, customer)
  return customer
}

function updateCustomer({ account, form, id }: Call): Customer {
  const customer = known(account.customers, 'customer', id)
  customer.name = form['name'] ?? customer.name
  customer.email = form['email'] ?? customer.email
  return customer
}

function createTaxId({ account, form, id }: Call): object {
  const [type, value] = [needed(form, 'type'), needed(form, 'value')]
  if (type !== 'br_cnpj' || !/^\d{14}$/.test(value)) throw refusal('Invalid value for br_cnpj.', 'tax_id_invalid')
  account.taxIds.push({ customer: known(account.customers, 'customer', id).id, type, value })
  return { id: newId('txi'), object: 'tax_id', type, value }
}

function listInvoices({ account, query }: Call): object {
  const [customer, subscription, status] = ['customer', 'subscription', 'status'].map((name) => query.get(name))
  const mine = [...account.invoices.values()].filter(
    (one) =>
      (customer === null || one.customer === customer) &&
      (subscription === null || one.parent?.subscription_details.subscription === subscription) &&
      (status === null || one.status === status),
  )
  return { object: 'list', has_more: false, data: mine.toReversed().slice(0, Number(query.get('limit') ?? 10)) }
}

function createInvoice({ account, form }: Call): Invoice {
  if (form['collection_method'] === 'send_invoice') needed(form, 'days_until_due')
  const currency = needed(form, 'currency')
  if (!/^[a-z]{3}$/.test(currency)) throw refusal(`Invalid currency: ${currency}`)
  const customer = known(account.customers, 'customer', needed(form, 'customer')).id
  return account.newInvoice(customer, currency, { metadata: metadataOf(form) })
}

function updateInvoice({ account, form, id }: Call): Invoice {
  const invoice = invoiceOf(account, id)
  if (invoice.status !== 'draft') throw refusal('Finalized invoices can not be updated', 'invoice_not_editable')
  const types = Object.entries(form).filter(([name]) => name.startsWith('payment_settings[payment_method_types]['))
  invoice.payment_settings.payment_method_types = types.map(([, value]) => value)
  return invoice
}

function addLines({ account, form, id }: Call): Invoice {
  const invoice = invoiceOf(account, id)
  if (invoice.status !== 'draft') throw refusal('Finalized invoices can not be updated', 'invoice_not_editable')
  for (let index = 0; form[`lines[${index}][description]`] !== undefined; index++)
    account.addLine(invoice, minor(form, `lines[${index}][amount]`), needed(form, `lines[${index}][description]`))
  return invoice
}

function finalizeInvoice({ account, id }: Call): Invoice {
  const invoice = invoiceOf(account, id)
  account.finalize(invoice)
  return invoice
}

function voidInvoice({ account, id }: Call): Invoice {
  const invoice = invoiceOf(account, id)
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
    throw refusal(`You can only pass in open invoices. This invoice is ${invoice.status}.`)
  invoice.status = 'void'
  return invoice
}

function listRefunds({ account, query }: Call): object {
  const mine = [...account.refunds.values()].filter((one) => one.payment_intent === query.get('payment_intent'))
  return { object: 'list', has_more: false, data: mine.toReversed().slice(0, Number(query.get('limit') ?? 10)) }
}

function createRefund({ account, form }: Call): Refund {
  const intent = known(account.intents, 'payment_intent', needed(form, 'payment_intent'))
  const amount = minor(form, 'amount')
  if (amount === 0) throw refusal('Invalid positive integer', 'parameter_invalid_integer')
  if (intent.method === 'card' && form['metadata[refund_id]'] === '402')
    throw new Refusal(402, { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' })
  const others = [...account.refunds.values()].filter(
    (other) => other.payment_intent === intent.id && other.status !== 'failed',
  )
  const left = intent.amount - others.reduce((sum, other) => sum + other.amount, 0)
  if (amount > left)
    throw refusal(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount_too_large')
  const { currency } = intent
  const about = { amount, currency, payment_intent: intent.id, metadata: metadataOf(form) }
  const refund: Refund = { id: newId('re'), object: 'refund', status: 'pending', ...about }
  account.refunds.set(refund.id, refund)
  return refund
}

function readIntent({ account, id }: Call): object {
  const { charge, method, ...intent } = known(account.intents, 'payment_intent', id)
  return { ...intent, latest_charge: { id: charge, object: 'charge', payment_method_details: { type: method } } }
}

function createSubscription({ account, form }: Call): Subscription {
  const customer = known(account.customers, 'customer', needed(form, 'customer')).id
  const currency = needed(form, 'items[0][price_data][currency]')
  needed(form, 'items[0][price_data][product]')
  const interval = needed(form, 'items[0][price_data][recurring][interval]')
  const unit_amount = minor(form, 'items[0][price_data][unit_amount]')
  const id = newId('sub')
  const parent = { type: 'subscription_details', subscription_details: { subscription: id } }
  const invoice = account.newInvoice(customer, currency, { parent, collection_method: 'charge_automatically' })
  account.addLine(invoice, unit_amount, 'Subscription')
  account.finalize(invoice)
  const subscription: Subscription = {
    id,
    object: 'subscription',
    status: 'incomplete',
    customer,
    latest_invoice: invoice.id,
    currency,
    items: { data: [{ price: { unit_amount, recurring: { interval } } }] },
    metadata: metadataOf(form),
  }
  account.subscriptions.set(id, subscription)
  return subscription
}

function readSubscription({ account, query, id }: Call): object {
  const subscription = known(account.subscriptions, 'subscription', id)
  const isExpanded = query.get('expand[0]') === 'latest_invoice'
  return isExpanded
    ? { ...subscription, latest_invoice: account.invoices.get(subscription.latest_invoice) }
    : subscription
}

function cancelSubscription({ account, id }: Call): Subscription {
  const subscription = known(account.subscriptions, 'subscription', id)
  if (subscription.status === 'canceled') throw missing('subscription', id)
  subscription.status = 'canceled'
  return subscription
}
