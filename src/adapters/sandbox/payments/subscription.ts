// Subscriptions at the sandbox payment provider: started and renewed with their paid invoices.
import { type Company, withEvent } from './company.ts'
import { draftInvoice, finalized, paid, recordOf, withLines } from './invoice.ts'
import type { Invoice, InvoiceRecord, Subscription, SubscriptionRecord } from './records.ts'

export function latestInvoice(company: Company, subscription: Subscription): InvoiceRecord {
  const { id, latest_invoice, customer, currency, metadata } = subscription
  const [{ price }] = subscription.items.data
  const draft = draftInvoice({
    id: latest_invoice,
    customer,
    currency,
    collection_method: 'charge_automatically',
    parent: { type: 'subscription_details', subscription_details: { subscription: id, metadata } },
    payment_settings: { payment_method_types: ['card'] },
  })
  const line = { id: `il_${latest_invoice.slice(3)}0`, object: 'line_item' as const, amount: price.unit_amount }
  const description = `1 × ${price.product} (per ${price.recurring.interval})`
  return recordOf(finalized(withLines(draft, [{ ...line, description }]), company.payUrl(latest_invoice)))
}

export function moved(record: SubscriptionRecord, object: Subscription): SubscriptionRecord {
  const type = object.status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated'
  return withEvent({ ...record, object }, type, object)
}

/** The subscription after its first payment. */
export const begun = (record: SubscriptionRecord): SubscriptionRecord =>
  record.object.status === 'incomplete' ? moved(record, { ...record.object, status: 'active' }) : record

/** The subscription and its next interval's invoice, paid. */
export function renewed(company: Company, record: SubscriptionRecord, invoiceId: string) {
  const object = { ...record.object, latest_invoice: invoiceId }
  const subscription: SubscriptionRecord = {
    ...record,
    object,
    invoices: [...new Set([...record.invoices, invoiceId])],
  }
  return { invoice: paid(latestInvoice(company, object)), subscription }
}

/** Called under the lock that stores the payment. */
export async function beginSubscriptionOf(company: Company, { parent }: Invoice): Promise<void> {
  const id = parent?.subscription_details.subscription
  const record = id === undefined ? null : await company.store.read(id)
  const started = record?.kind === 'subscription' ? begun(record) : null
  if (!started || started === record) return
  await company.store.write(started)
  company.wake(started)
}
