// Subscriptions at the sandbox payment provider: started and renewed with their paid invoices.
import { addMonths } from '#kernel/values/time/calendar.ts'
import { type Company, nowInSeconds, withEvent } from './company.ts'
import { declined, draftInvoice, finalized, paid, recordOf, voided, withLines } from './invoice.ts'
import type { Invoice, InvoiceLine, InvoiceRecord, Subscription, SubscriptionRecord } from './records.ts'

/**
 * The interval of the invoice with this index, in seconds. Counted from the anchor, so that a short month does not move
 * the next ones.
 */
export function periodOf(record: SubscriptionRecord, index: number): { start: number; end: number } {
  const { created, items, trial_end: trialEnd, billing_cycle_anchor: anchor = created } = record.object
  if (index === 0 && trialEnd) return { start: created, end: trialEnd }
  const months = items.data[0].price.recurring.interval === 'year' ? 12 : 1
  const after = (intervals: number) => addMonths(new Date(anchor * 1000), intervals * months, 'UTC').getTime() / 1000
  const passed = index - (record.first_of_cycle ?? 0)
  return { start: after(passed), end: after(passed + 1) }
}

export function latestInvoice(company: Company, record: SubscriptionRecord): InvoiceRecord {
  const { id, latest_invoice, customer, currency, metadata, items } = record.object
  const [{ price }] = items.data
  const index = record.invoices.indexOf(latest_invoice)
  const isTrial = index === 0 && (record.object.trial_end ?? null) !== null
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
    amount: isTrial ? 0 : price.unit_amount,
    description: `1 × ${price.product} (per ${price.recurring.interval})`,
    period: periodOf(record, index),
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

/** The subscription and its next interval's invoice: paid, or void in a pause. */
export function renewed(company: Company, record: SubscriptionRecord, invoiceId: string) {
  const next = withInvoice(record, invoiceId)
  const invoice = latestInvoice(company, next)
  const subscription = next.object.status === 'trialing' ? moved(next, { ...next.object, status: 'active' }) : next
  return { invoice: isPaused(record) ? voided(invoice) : paid(invoice), subscription }
}

/** The same, where the saved card is declined. */
export function owed(company: Company, record: SubscriptionRecord, invoiceId: string) {
  if (isPaused(record)) return renewed(company, record, invoiceId)
  const subscription = withInvoice(record, invoiceId)
  const invoice = declined(latestInvoice(company, subscription))
  return { invoice, subscription: moved(subscription, { ...subscription.object, status: 'past_due' }) }
}

/** Stripe's `billing_cycle_anchor[type]: now`: an interval begins now, and is charged. */
export function begunAnew(company: Company, record: SubscriptionRecord, invoiceId: string) {
  const object = { ...record.object, billing_cycle_anchor: nowInSeconds() }
  const anchored = { ...record, object, first_of_cycle: record.invoices.length }
  const { invoice, subscription } = renewed(company, anchored, invoiceId)
  return { invoice, subscription: moved(subscription, subscription.object) }
}

const isPaused = ({ object }: SubscriptionRecord): boolean => (object.pause_collection ?? null) !== null

const withInvoice = (record: SubscriptionRecord, invoiceId: string): SubscriptionRecord => ({
  ...record,
  object: { ...record.object, latest_invoice: invoiceId },
  invoices: [...new Set([...record.invoices, invoiceId])],
})

/** Called under the lock that stores the payment. */
export async function beginSubscriptionOf(company: Company, { parent }: Invoice): Promise<void> {
  const id = parent?.subscription_details.subscription
  const record = id === undefined ? null : await company.store.read(id)
  const started = record?.kind === 'subscription' ? begun(record) : null
  if (!started || started === record) return
  await company.store.write(started)
  company.wake(started)
}
