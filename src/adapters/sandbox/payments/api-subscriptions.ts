// Subscriptions at the sandbox payment provider: started by the first payment, renewed and changed by calls of the sandbox's own.
import {
  type ApiCall,
  createdOnce,
  idFor,
  invalid,
  isExpanded,
  metadata,
  missing,
  required,
  text,
  wholeNumber,
  withAnswer,
} from './api-call.ts'
import { knownCustomer } from './api-customers.ts'
import { currencyOf } from './api-invoices.ts'
import { type Company, nowInSeconds } from './company.ts'
import type { Subscription, SubscriptionRecord } from './records.ts'
import { latestInvoice, moved, owed, periodOf, renewed } from './subscription.ts'

/** A product is only a name, so nothing is stored: the caller keeps its id. */
export function createProduct(company: Company, call: ApiCall): Promise<string> {
  const product = { id: idFor(company, 'prod', call), object: 'product', name: required(call, 'name') }
  return Promise.resolve(JSON.stringify({ ...product, metadata: metadata(call) }))
}

/** Stripe's `default_incomplete`: it starts when its first invoice is paid. */
export function createSubscription(company: Company, call: ApiCall): Promise<string> {
  return createdOnce(company, { prefix: 'sub', call }, async (id) => {
    const customer = await knownCustomer(company, required(call, 'customer'))
    const object = newSubscription(call, { id, customer: customer.object.id, invoice: idFor(company, 'in', call) })
    await company.store.write(latestInvoice(company, object, 0))
    const { answers, body } = withAnswer({}, call, object)
    await company.store.write({
      kind: 'subscription',
      object,
      invoices: [object.latest_invoice],
      answers,
      deliveries: [],
    })
    return body
  })
}

type Made = { id: string; customer: string; invoice: string }

function newSubscription(call: ApiCall, { id, customer, invoice }: Made): Subscription {
  if (required(call, 'payment_behavior') !== 'default_incomplete') throw invalid('Invalid payment_behavior.')
  const price = 'items[0][price_data]'
  return {
    id,
    object: 'subscription',
    livemode: false,
    created: nowInSeconds(),
    status: 'incomplete',
    cancel_at: null,
    cancel_at_period_end: false,
    customer,
    currency: currencyOf(call, `${price}[currency]`),
    collection_method: 'charge_automatically',
    items: {
      object: 'list',
      data: [
        {
          object: 'subscription_item',
          quantity: 1,
          price: {
            object: 'price',
            product: required(call, `${price}[product]`),
            unit_amount: wholeNumber(call, `${price}[unit_amount]`, 1),
            recurring: { interval: required(call, `${price}[recurring][interval]`) },
          },
        },
      ],
    },
    latest_invoice: invoice,
    metadata: metadata(call),
  }
}

export async function readSubscription(company: Company, call: ApiCall, id: string): Promise<string> {
  const { object } = await known(company, id)
  if (!isExpanded(call, 'latest_invoice')) return JSON.stringify(object)
  const invoice = await company.store.read(object.latest_invoice)
  return JSON.stringify({ ...object, latest_invoice: invoice?.object ?? null })
}

export function cancelSubscription(company: Company, _call: ApiCall, id: string): Promise<string> {
  return change(company, id, ({ object }) => {
    if (object.status === 'canceled') throw missing('subscription', id)
    return { ...object, status: 'canceled' }
  })
}

/** Stripe's `cancel_at_period_end`; the sandbox's own is `status`, which may be one that Stripe does not have. */
export function updateSubscription(company: Company, call: ApiCall, id: string): Promise<string> {
  if (text(call, 'cancel_at_period_end') === 'true') return cancelAtPeriodEnd(company, id)
  const status = required(call, 'status')
  if (!/^[a-z_]{1,40}$/.test(status)) throw invalid('Invalid status.')
  return change(company, id, ({ object }) => ({ ...object, status }))
}

function cancelAtPeriodEnd(company: Company, id: string): Promise<string> {
  return change(company, id, ({ object, invoices }) => {
    if (object.status === 'canceled') throw invalid('A canceled subscription can only update its metadata.')
    return { ...object, cancel_at_period_end: true, cancel_at: periodOf(object, invoices.length - 1).end }
  })
}

/**
 * Lets the interval end: the next one's invoice is paid as by the saved card, unless it was the last interval, or with
 * `outcome` `failed` is not.
 */
export async function renewSubscription(company: Company, call: ApiCall, id: string): Promise<string> {
  const { object } = await known(company, id)
  if (object.cancel_at_period_end === true) return cancelSubscription(company, call, id)
  return company.store.exclusively(async () => {
    const next = text(call, 'outcome') === 'failed' ? owed : renewed
    const { invoice, subscription } = next(company, await known(company, id), idFor(company, 'in', call))
    await company.store.write(invoice)
    await company.store.write(subscription)
    company.wake(invoice)
    company.wake(subscription)
    return JSON.stringify(invoice.object)
  })
}

function change(company: Company, id: string, to: (record: SubscriptionRecord) => Subscription): Promise<string> {
  return company.store.exclusively(async () => {
    const record = await known(company, id)
    const changed = moved(record, to(record))
    await company.store.write(changed)
    company.wake(changed)
    return JSON.stringify(changed.object)
  })
}

async function known(company: Company, id: string): Promise<SubscriptionRecord> {
  const record = await company.store.read(id)
  if (record?.kind !== 'subscription') throw missing('subscription', id)
  return record
}
