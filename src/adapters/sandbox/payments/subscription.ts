// What subscriptions at the sandbox payment provider do to invoices, and paid invoices to them.
import { openInvoice } from './api-invoices.ts'
import { withEvent, type Company } from './company.ts'
import type { Invoice, InvoiceRecord, Subscription, SubscriptionRecord } from './records.ts'

export function invoiceOf(company: Company, subscription: Subscription, id: string): InvoiceRecord {
  const { customer, currency, amount, metadata } = subscription
  const opened = openInvoice({ id, customer, url: company.payUrl(id), currency, amount, number: id.slice(-8) })
  const subscription_details = { subscription: subscription.id }
  const object: Invoice = { ...opened, metadata, parent: { type: 'subscription_details', subscription_details } }
  return { kind: 'invoice', object, refunds: {}, answers: {}, deliveries: [] }
}

export function moved(record: SubscriptionRecord, object: Subscription): SubscriptionRecord {
  const type = object.status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated'
  return withEvent({ ...record, object }, type, object)
}

/** Within the turn that stores the payment. */
export async function startSubscriptionOf(company: Company, { parent }: Invoice): Promise<void> {
  const id = parent?.subscription_details.subscription
  const record = id === undefined ? null : await company.store.read(id)
  if (record?.kind !== 'subscription' || record.object.status !== 'incomplete') return
  const started = moved(record, { ...record.object, status: 'active' })
  await company.store.write(started)
  company.wake(started)
}
