// An account at the sandbox's payment provider, in memory, where a test does what payers, time and the vendor's staff do at
// Stripe.
import { randomBytes } from 'node:crypto'
import type { Company } from '../../src/adapters/sandbox/payments/company.ts'
import { closed, opened } from '../../src/adapters/sandbox/payments/dispute.ts'
import { paid } from '../../src/adapters/sandbox/payments/invoice.ts'
import type { RecordStore } from '../../src/adapters/sandbox/payments/record-store.ts'
import type { Dispute, Invoice, PaymentRecord } from '../../src/adapters/sandbox/payments/records.ts'
import { begun, renewed } from '../../src/adapters/sandbox/payments/subscription.ts'
import { fromStripe } from '../../src/adapters/stripe/amounts.ts'

type Kind = PaymentRecord['kind']
type Of<One extends Kind> = Extract<PaymentRecord, { kind: One }>

const WEBHOOK_SECRET = 'whsec_of_the_stand_in_only'

export const newId = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`

export function stripeAccount(url: () => string) {
  const { store, put, all, known } = inMemory()
  const company: Company = {
    name: 'entity_br',
    seller: 'Titular',
    // Its own, since ids are derived from it.
    secretKey: `sk_test_${randomBytes(12).toString('hex')}`,
    webhookSecret: WEBHOOK_SECRET,
    webhookUrl: url(),
    payUrl: (id) => `${url()}/i/${id}`,
    amountOf: fromStripe,
    store,
    timing: { retryGapsMs: [], refundDelayMs: 0, timeoutMs: 0 },
    // The test sends events and confirms refunds.
    wake: () => undefined,
  }
  return {
    company,
    customers: () => byId(all('customer')),
    taxIds: () => all('customer').flatMap(({ tax_ids }) => tax_ids),
    invoices: () => byId(all('invoice')),
    refunds: () => byId(all('refund')),
    subscriptions: () => byId(all('subscription')),
    disputes: () => byId(all('dispute')),
    pay(reference: string, method = 'card'): Invoice {
      const record = known('invoice', reference)
      const { status, parent } = record.object
      if (status !== 'open' && status !== 'uncollectible') throw new Error(`${reference} is ${status}`)
      put(paid(record, method))
      if (parent) put(begun(known('subscription', parent.subscription_details.subscription)))
      return record.object
    },
    /** As the payer's bank: takes the amount of a paid invoice. */
    dispute(reference: string, amount?: number): Dispute {
      const paidInvoice = known('invoice', reference)
      const given = { id: newId('du'), amount: amount ?? paidInvoice.object.amount_paid }
      const { invoice, dispute } = opened(paidInvoice, given)
      put(invoice)
      put(dispute)
      return dispute.object
    },
    closeDispute(id: string, status: 'won' | 'lost'): Dispute {
      put(closed(known('dispute', id), status))
      return known('dispute', id).object
    },
    /** Creates the next interval's invoice, paid by the saved card. */
    renew(reference: string): Invoice {
      const { invoice, subscription } = renewed(company, known('subscription', reference), newId('in'))
      put(invoice)
      put(subscription)
      return invoice.object
    },
  }
}

const byId = <One extends { id: string }>(records: { object: One }[]): ReadonlyMap<string, One> =>
  new Map(records.map(({ object }) => [object.id, object]))

function inMemory() {
  const records = new Map<string, PaymentRecord>()
  let last: Promise<unknown> = Promise.resolve()
  /** Changes the object in place, since a test may hold and change it. */
  function put(record: PaymentRecord): void {
    const kept = records.get(record.object.id)
    if (kept) Object.assign(kept, { ...record, object: Object.assign(kept.object, record.object) })
    else records.set(record.object.id, record)
  }
  const all = <One extends Kind>(kind: One): Of<One>[] =>
    [...records.values()].filter((record): record is Of<One> => record.kind === kind)
  const store: RecordStore = {
    read: (id) => Promise.resolve(records.get(id) ?? null),
    write: (record) => Promise.resolve(put(record)),
    ids: () => Promise.resolve([...records.keys()]),
    exclusively(work) {
      const mine = last.then(work)
      last = mine.catch(() => undefined)
      return mine
    },
    tidy: () => Promise.resolve(),
  }
  function known<One extends Kind>(kind: One, id: string): Of<One> {
    const found = all(kind).find(({ object }) => object.id === id)
    if (!found) throw new Error(`No such ${kind}: ${id}`)
    return found
  }
  return { store, put, all, known }
}
