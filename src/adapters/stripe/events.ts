// Reads Stripe's events: verifies the signature over the raw bytes, checks the shape, gives the port's event.
import { isUtf8 } from 'node:buffer'
import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { bodyDigest } from '#ports/body-signatures.ts'
import type { ReceivedHeaders } from '#ports/standard-webhooks.ts'
import { parsedJson } from '#kernel/values/text/json.ts'
import { InvalidMoney } from '#kernel/values/money.ts'
import { oneLine } from '#kernel/values/text/text.ts'
import type { PaymentEvent, ReceivedEvent } from '#ports/payments.ts'
import { fromStripe } from './amounts.ts'
import { stripeLibrary } from './library.ts'
import { refundStatus } from './refund.ts'
import {
  Amount,
  Currency,
  Id,
  idOf,
  OldSubscription,
  Parent,
  type Reference,
  Seconds,
  subscriptionOf,
} from './shapes.ts'

class BadSignature extends Error {}
/** Correctly signed, but not of a known shape. */
class UnreadableEvent extends Error {}

export type EventReaderOptions = {
  company: string
  webhookSecrets: readonly string[]
  livemode: boolean
}

export type ReceivedRequest = { headers: ReceivedHeaders; body: Buffer; now: Date }

const TOLERANCE_SECONDS = 300

/** Text for people: its content and length never make an event unreadable. */
const Text = Type.String()
const MAX_TEXT = 500
const readable = (text: string): string => oneLine(text, MAX_TEXT)

const Named = Type.Object({ id: Id, type: Type.String({ pattern: '^[a-z0-9_.[\\]]{1,100}$' }) })
const OfMode = Type.Object({ livemode: Type.Boolean() })
const Event = Type.Object({
  object: Type.Literal('event'),
  created: Seconds,
  ...OfMode.properties,
  data: Type.Object({ object: Type.Unknown() }),
})
const subscribed = { parent: Parent, subscription: OldSubscription }
const PaidInvoice = Type.Object({
  id: Id,
  customer: Type.Union([Id, Type.Null()]),
  amount_paid: Amount,
  currency: Currency,
  payment_settings: Type.Optional(
    Type.Object({ payment_method_types: Type.Optional(Type.Union([Type.Array(Text), Type.Null()])) }),
  ),
  status_transitions: Type.Object({ paid_at: Seconds }),
  ...subscribed,
})
const OtherInvoice = Type.Object({ id: Id, ...subscribed })
type InvoiceLinks = { parent?: Parent; subscription?: Reference }
const subscriptionIn = (invoice: InvoiceLinks): string | null =>
  subscriptionOf(invoice.parent) ?? idOf(invoice.subscription)
const Subscription = Type.Object({ id: Id, status: Type.String({ pattern: '^[a-z_]{1,100}$' }) })
const Dispute = Type.Object({
  id: Id,
  amount: Amount,
  currency: Currency,
  reason: Text,
  charge: Type.Optional(Type.Union([Id, Type.Object({ id: Id }), Type.Null()])),
  payment_intent: Type.Optional(Type.Union([Id, Type.Object({ id: Id }), Type.Null()])),
})
const Refund = Type.Object({ id: Id, amount: Amount, currency: Currency, status: Type.Union([Text, Type.Null()]) })

export function readStripeEvent(options: EventReaderOptions, received: ReceivedRequest): ReceivedEvent {
  let event: unknown
  try {
    assertSigned(options, received)
    event = parsedJson(received.body)
    return eventIn(options, event)
  } catch (error) {
    if (error instanceof BadSignature) return { kind: 'unsigned', reason: error.message }
    if (!(error instanceof UnreadableEvent)) throw error
    return { kind: 'unreadable', ...nameOf(event, received.body), reason: error.message }
  }
}

/** Id and type, as far as they can be read; else the body's digest, by which a repeat is recognized. */
function nameOf(event: unknown, body: Buffer): { dedupeKey: string; providerType: string } {
  if (Value.Check(Named, event)) return { dedupeKey: event.id, providerType: event.type }
  return { dedupeKey: `sha256:${bodyDigest(body)}`, providerType: 'unreadable' }
}

function eventIn(options: EventReaderOptions, object: unknown): ReceivedEvent {
  if (Value.Check(OfMode, object) && object.livemode !== options.livemode)
    throw new BadSignature(`${options.company}: an event of the other mode`)
  const { id: dedupeKey, type: providerType } = shaped(Named, object)
  // `hasOwn`, since a type may have the name of an inherited property, such as `constructor`.
  const read = Object.hasOwn(READERS, providerType) ? READERS[providerType] : undefined
  // Of any shape: thin events have neither an object nor seconds.
  if (!read) return { kind: 'ignored', dedupeKey, providerType }
  const { created, data } = shaped(Event, object)
  return { dedupeKey, providerType, at: iso(created), ...read(data.object) }
}

type Fact<Event = PaymentEvent> = Event extends unknown ? Omit<Event, 'dedupeKey' | 'providerType' | 'at'> : never

/**
 * By Stripe's type. Without `invoice.payment_succeeded`, which Stripe sends together with `invoice.paid`, and without
 * `charge.refunded`, which it sends together with `refund.updated`.
 */
const READERS: Record<string, (object: unknown) => Fact> = {
  'invoice.paid': paid,
  'invoice.payment_failed': (object) => ({ kind: 'payment_failed', ...invoiceOf(object) }),
  'invoice.voided': (object) => ({ kind: 'voided', ...invoiceOf(object) }),
  'invoice.marked_uncollectible': (object) => ({ kind: 'uncollectible', ...invoiceOf(object) }),
  'refund.created': refund,
  'refund.updated': refund,
  'refund.failed': refund,
  // Of endpoints that were made before there was `refund.updated`.
  'charge.refund.updated': refund,
  'customer.subscription.created': subscription,
  'customer.subscription.updated': subscription,
  'customer.subscription.deleted': subscription,
  'customer.subscription.paused': subscription,
  'customer.subscription.resumed': subscription,
  'charge.dispute.created': dispute,
  'charge.dispute.updated': dispute,
  'charge.dispute.closed': dispute,
  'charge.dispute.funds_withdrawn': dispute,
  'charge.dispute.funds_reinstated': dispute,
}

function dispute(object: unknown): Fact {
  const { id, reason, amount, currency, charge, payment_intent } = shaped(Dispute, object)
  const payment = idOf(payment_intent) ?? idOf(charge)
  return { kind: 'dispute', reference: id, payment, reason: readable(reason), ...money(amount, currency) }
}

function invoiceOf(object: unknown): { reference: string; subscription: string | null } {
  const invoice = shaped(OtherInvoice, object)
  return { reference: invoice.id, subscription: subscriptionIn(invoice) }
}

function refund(object: unknown): Fact {
  const { id, status, amount, currency } = shaped(Refund, object)
  return { kind: 'refund', reference: id, status: refundStatus(status), ...money(amount, currency) }
}

function subscription(object: unknown): Fact {
  const { id, status } = shaped(Subscription, object)
  return { kind: 'subscription', reference: id, status }
}

function assertSigned({ webhookSecrets }: EventReaderOptions, { headers, body, now }: ReceivedRequest): void {
  const signature = headers['stripe-signature']
  if (typeof signature !== 'string') throw new BadSignature('No signature')
  assertNotInFuture(signature, now)
  // The library decodes before it hashes, so that a byte order mark or invalid UTF-8 would be hashed as other bytes.
  if (!isUtf8(body) || body.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) throw new BadSignature('Not UTF-8')
  const Stripe = stripeLibrary()
  const isMadeBy = (secret: string): boolean => {
    try {
      return (
        Stripe.webhooks.signature?.verifyHeader(body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime()) ??
        false
      )
    } catch {
      // A plain error of the library is about the header too, such as for an empty `v1`.
      return false
    }
  }
  if (!webhookSecrets.some(isMadeBy)) throw new BadSignature('No secret made this signature in time')
}

/** The library refuses old timestamps, but not future ones. */
function assertNotInFuture(signature: string, now: Date): void {
  const timestamps = signature.split(',').filter((part) => part.trim().startsWith('t='))
  const seconds = /^t=(\d{1,12})$/.exec(timestamps[0] ?? '')?.[1]
  if (timestamps.length !== 1 || seconds === undefined) throw new BadSignature('No timestamp')
  if (Number(seconds) > now.getTime() / 1000 + TOLERANCE_SECONDS) throw new BadSignature('A timestamp in the future')
}

function paid(object: unknown): Fact {
  const invoice = shaped(PaidInvoice, object)
  return {
    kind: 'paid',
    reference: invoice.id,
    customer: idOf(invoice.customer),
    ...money(invoice.amount_paid, invoice.currency),
    method: readable(invoice.payment_settings?.payment_method_types?.[0] ?? '') || null,
    paidAt: iso(invoice.status_transitions.paid_at),
    subscription: subscriptionIn(invoice),
  }
}

function money(minor: number, code: string): { amount: string; currency: string } {
  const currency = code.toUpperCase()
  try {
    return { amount: fromStripe(minor, currency), currency }
  } catch (cause) {
    if (cause instanceof InvalidMoney) throw new UnreadableEvent(cause.message, { cause })
    throw cause
  }
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function shaped<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (!Value.Check(schema, value)) throw new UnreadableEvent('Signed, but not in a shape that we know')
  return value
}
