// Subscriptions at the sandbox payment provider: begun by the first payment, renewed and driven from outside.
import {
  idFor,
  type ApiCall,
  createdOnce,
  invalid,
  metadata,
  missing,
  required,
  wholeNumber,
  withAnswer,
} from './api-call.ts'
import { currencyOf } from './api-invoices.ts'
import { nowInSeconds, type Company } from './company.ts'
import { paidRecord } from './payment.ts'
import type { Subscription, SubscriptionRecord } from './records.ts'
import { invoiceOf, moved } from './subscription.ts'

/** `default_incomplete`, as Stripe says: it starts when its first invoice is paid. */
export function createSubscription(company: Company, call: ApiCall): Promise<string> {
  return createdOnce(company, 'sub', call, async (id) => {
    const customer = required(call, 'customer')
    if ((await company.store.read(customer))?.kind !== 'customer') throw missing('customer', customer)
    const object: Subscription = {
      id,
      object: 'subscription',
      livemode: false,
      created: nowInSeconds(),
      status: 'incomplete',
      customer,
      currency: currencyOf(call),
      latest_invoice: idFor(company, 'in', call),
      metadata: metadata(call),
      amount: wholeNumber(call, 'amount', 1),
      interval: required(call, 'interval'),
    }
    await company.store.write(invoiceOf(company, object, object.latest_invoice))
    const { answers, body } = withAnswer({}, call, object)
    await company.store.write({ kind: 'subscription', object, answers, deliveries: [] })
    return body
  })
}

export async function readSubscription(company: Company, _call: ApiCall, id: string): Promise<string> {
  return JSON.stringify((await known(company, id)).object)
}

export function cancelSubscription(company: Company, _call: ApiCall, id: string): Promise<string> {
  return change(company, id, (object) => {
    if (object.status === 'canceled') throw missing('subscription', id)
    return { ...object, status: 'canceled' }
  })
}

/** `status`: any, also one that nobody has heard of. */
export function driveSubscription(company: Company, call: ApiCall, id: string): Promise<string> {
  const status = required(call, 'status')
  if (!/^[a-z_]{1,40}$/.test(status)) throw invalid('Invalid status.')
  return change(company, id, (object) => ({ ...object, status }))
}

/** The next interval's invoice, paid as by the saved card. */
export function renewSubscription(company: Company, call: ApiCall, id: string): Promise<string> {
  return company.store.exclusively(async () => {
    const record = await known(company, id)
    const invoice = paidRecord(invoiceOf(company, record.object, idFor(company, 'in', call)))
    await company.store.write(invoice)
    await company.store.write({ ...record, object: { ...record.object, latest_invoice: invoice.object.id } })
    company.wake(invoice)
    return JSON.stringify(invoice.object)
  })
}

function change(company: Company, id: string, to: (object: Subscription) => Subscription): Promise<string> {
  return company.store.exclusively(async () => {
    const record = await known(company, id)
    const changed = moved(record, to(record.object))
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
