// Subscriptions at the sandbox payment provider: started by the first payment, renewed and changed by calls of the
// sandbox's own.
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
import { paid } from './invoice.ts'
import type { Subscription, SubscriptionRecord } from './records.ts'
import { begunAnew, latestInvoice, moved, owed, periodOf, renewed } from './subscription.ts'

/** A product is only a name, so nothing is stored: the caller keeps its id. */
export function createProduct(company: Company, call: ApiCall): Promise<string> {
  const product = { id: idFor(company, 'prod', call), object: 'product', name: required(call, 'name') }
  return Promise.resolve(JSON.stringify({ ...product, metadata: metadata(call) }))
}

/** Stripe's `default_incomplete`: it starts when its first invoice is paid, or with a trial, whose invoice is of 0. */
export function createSubscription(company: Company, call: ApiCall): Promise<string> {
  return createdOnce(company, { prefix: 'sub', call }, async (id) => {
    const customer = await knownCustomer(company, required(call, 'customer'))
    const object = newSubscription(call, { id, customer: customer.object.id, invoice: idFor(company, 'in', call) })
    const { answers, body } = withAnswer({}, call, object)
    const isTrial = object.status === 'trialing'
    const record: SubscriptionRecord = {
      kind: 'subscription',
      object,
      invoices: [object.latest_invoice],
      ...(isTrial && { first_of_cycle: 1 }),
      answers,
      deliveries: [],
    }
    const first = latestInvoice(company, record)
    const invoice = isTrial ? paid(first) : first
    await company.store.write(invoice)
    await company.store.write(record)
    company.wake(invoice)
    return body
  })
}

type SubscriptionIds = { id: string; customer: string; invoice: string }

function newSubscription(call: ApiCall, { id, customer, invoice }: SubscriptionIds): Subscription {
  if (required(call, 'payment_behavior') !== 'default_incomplete') throw invalid('Invalid payment_behavior.')
  const price = 'items[0][price_data]'
  const days = text(call, 'trial_period_days') === null ? 0 : wholeNumber(call, 'trial_period_days', 1)
  const created = nowInSeconds()
  const trial_end = created + days * 86_400
  return {
    id,
    object: 'subscription',
    livemode: false,
    created,
    status: days > 0 ? 'trialing' : 'incomplete',
    ...(days > 0 && { trial_end, billing_cycle_anchor: trial_end }),
    cancel_at: null,
    cancel_at_period_end: false,
    customer,
    currency: currencyOf(call, `${price}[currency]`),
    collection_method: 'charge_automatically',
    items: {
      object: 'list',
      data: [
        {
          id: id.replace(/^sub_/, 'si_'),
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

/** What the adapter asks for; the sandbox's own is `status`, which may be one that Stripe does not have. */
export function updateSubscription(company: Company, call: ApiCall, id: string): Promise<string> {
  const atEnd = text(call, 'cancel_at_period_end')
  if (atEnd !== null) return cancelAtPeriodEnd(company, id, atEnd === 'true')
  if (text(call, 'billing_cycle_anchor[type]') === 'now') return beginAnew(company, call, id)
  if (call.fields.has('items[0][id]')) return changePrice(company, call, id)
  const behavior = text(call, 'pause_collection[behavior]')
  if (behavior !== null || call.fields.has('pause_collection')) return pause(company, call, { id, behavior })
  const status = required(call, 'status')
  if (!/^[a-z_]{1,40}$/.test(status)) throw invalid('Invalid status.')
  return change(company, id, ({ object }) => ({ ...object, status }))
}

function cancelAtPeriodEnd(company: Company, id: string, ends: boolean): Promise<string> {
  return change(company, id, (record) => {
    const end = periodOf(record, record.invoices.length - 1).end
    return { ...notEnded(record), cancel_at_period_end: ends, cancel_at: ends ? end : null }
  })
}

/** Null: resumes it. */
async function pause(
  company: Company,
  call: ApiCall,
  { id, behavior }: { id: string; behavior: string | null },
): Promise<string> {
  if (behavior !== null && behavior !== 'void') throw invalid('Invalid pause_collection[behavior].')
  const pause_collection = behavior === null ? null : { behavior: 'void' as const }
  await change(company, id, (record) => ({ ...notEnded(record), pause_collection }))
  return readSubscription(company, call, id)
}

/** Of the next intervals. */
function changePrice(company: Company, call: ApiCall, id: string): Promise<string> {
  if (required(call, 'proration_behavior') !== 'none') throw invalid('Invalid proration_behavior.')
  const unit_amount = wholeNumber(call, 'items[0][price_data][unit_amount]', 1)
  return change(company, id, (record) => {
    const object = notEnded(record)
    const [item] = object.items.data
    if (required(call, 'items[0][id]') !== item.id) throw missing('subscription_item', String(item.id))
    const data: typeof object.items.data = [{ ...item, price: { ...item.price, unit_amount } }]
    return { ...object, items: { ...object.items, data } }
  })
}

function beginAnew(company: Company, call: ApiCall, id: string): Promise<string> {
  if (required(call, 'proration_behavior') !== 'none') throw invalid('Invalid proration_behavior.')
  return charge(company, call, { id, next: begunAnew, answer: ({ subscription }) => subscription.object })
}

function notEnded({ object }: SubscriptionRecord): Subscription {
  if (object.status === 'canceled') throw invalid('A canceled subscription can only update its metadata.')
  return object
}

/**
 * Lets the interval end: the next one's invoice is paid as by the saved card, unless it was the last interval, or with
 * `outcome` `failed` is not.
 */
export async function renewSubscription(company: Company, call: ApiCall, id: string): Promise<string> {
  const { object } = await known(company, id)
  if (object.cancel_at_period_end === true) return cancelSubscription(company, call, id)
  const next = text(call, 'outcome') === 'failed' ? owed : renewed
  return charge(company, call, { id, next, answer: ({ invoice }) => invoice.object })
}

type Charge = { id: string; next: typeof renewed; answer: (charged: ReturnType<typeof renewed>) => object }

function charge(company: Company, call: ApiCall, { id, next, answer }: Charge): Promise<string> {
  return company.store.exclusively(async () => {
    const charged = next(company, await known(company, id), idFor(company, 'in', call))
    await company.store.write(charged.invoice)
    await company.store.write(charged.subscription)
    company.wake(charged.invoice)
    company.wake(charged.subscription)
    return JSON.stringify(answer(charged))
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
