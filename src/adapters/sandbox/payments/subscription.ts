// Subscriptions at the sandbox payment provider: started and renewed with their paid invoices.
import { addMonths } from '#kernel/values/calendar.ts'
import { type Company, withEvent } from './company.ts'
import { declined, draftInvoice, finalized, paid, recordOf, withLines } from './invoice.ts'
import type { Invoice, InvoiceLine, InvoiceRecord, Subscription, SubscriptionRecord } from './records.ts'

/** The interval with this index, in seconds. Counted from the creation, so that a short month does not move the next ones. */
export function periodOf({ created, items }: Subscription, index: number): { start: number; end: number } {
  const months = items.data[0].price.recurring.interval === 'year' ? 12 : 1
  const after = (intervals: number) => addMonths(new Date(created * 1000), intervals * months, 'UTC').getTime() / 1000
  return { start: after(index), end: after(index + 1) }
}

export function latestInvoice(company: Company, subscription: Subscription, index: number): InvoiceRecord {
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
  const line: InvoiceLine = {
    id: `il_${latest_invoice.slice(3)}0`,
    object: 'line_item',
    amount: price.unit_amount,
    description: `1 × ${price.product} (per ${price.recurring.interval})`,
    period: periodOf(subscription, index),
    parent: {
      type: 'subscription_item_details',
      subscription_item_details: { subscription: id, proration: false },
    },
  }
  return recordOf(finalized(withLines(draft, [line]), company.payUrl(latest_invoice)))
}

export function moved(record: SubscriptionRecord, object: Subscription): SubscriptionRecord {
  const type = object.status === 'canceled' ? 'customer.subscription.deleted' : 'customer.subscription.updated'
  return withEvent({ ...record, object }, type, object)
}

/** The subscription after its first payment, or after one that it owed. */
export const begun = (record: SubscriptionRecord): SubscriptionRecord =>
  record.object.status === 'incomplete' || record.object.status === 'past_due'
    ? moved(record, { ...record.object, status: 'active' })
    : record

/** The subscription and its next interval's invoice, paid. */
export function renewed(company: Company, record: SubscriptionRecord, invoiceId: string) {
  const subscription = withInvoice(record, invoiceId)
  return { invoice: paid(nextInvoice(company, subscription)), subscription }
}

/** The same, where the saved card is declined. */
export function owed(company: Company, record: SubscriptionRecord, invoiceId: string) {
  const subscription = withInvoice(record, invoiceId)
  const invoice = declined(nextInvoice(company, subscription))
  return { invoice, subscription: moved(subscription, { ...subscription.object, status: 'past_due' }) }
}

const withInvoice = (record: SubscriptionRecord, invoiceId: string): SubscriptionRecord => ({
  ...record,
  object: { ...record.object, latest_invoice: invoiceId },
  invoices: [...new Set([...record.invoices, invoiceId])],
})

const nextInvoice = (company: Company, { object, invoices }: SubscriptionRecord): InvoiceRecord =>
  latestInvoice(company, object, invoices.indexOf(object.latest_invoice))

/** Called under the lock that stores the payment. */
export async function beginSubscriptionOf(company: Company, { parent }: Invoice): Promise<void> {
  const id = parent?.subscription_details.subscription
  const record = id === undefined ? null : await company.store.read(id)
  const started = record?.kind === 'subscription' ? begun(record) : null
  if (!started || started === record) return
  await company.store.write(started)
  company.wake(started)
}
