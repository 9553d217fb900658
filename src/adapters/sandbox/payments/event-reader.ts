// The provider's signed events: the signature over the raw bytes first, then the shape, then our words.
import { isUtf8 } from 'node:buffer'
import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { formatMoney, isCurrency } from '#kernel/money.ts'
import { BadSignature, type PaymentEvent, type ProviderRefund } from '#ports/payments.ts'
import { stripeLibrary } from './stripe-library.ts'

/** Rightly signed, but not an event of ours to act on: live mode, or a shape that says nothing certain. */
export class UnreadableEvent extends BadSignature {}

export type EventReaderOptions = { company: string; webhookSecrets: readonly string[]; livemode: false }

export type Received = { headers: Record<string, string | string[] | undefined>; body: Buffer; now: Date }

const TOLERANCE_SECONDS = 300

const Id = Type.String({ pattern: '^[A-Za-z0-9_]{1,255}$' })
const Seconds = Type.Integer({ minimum: 0, maximum: 253_402_300_799 })
const Amount = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Currency = Type.String({ pattern: '^[a-z]{3}$' })
const Text = Type.String({ maxLength: 500 })

const Event = Type.Object({
  id: Id,
  object: Type.Literal('event'),
  type: Type.String({ pattern: '^[a-z0-9_.]{1,100}$' }),
  created: Seconds,
  livemode: Type.Boolean(),
  data: Type.Object({ object: Type.Unknown() }),
})
const PaidInvoice = Type.Object({
  id: Id,
  customer: Type.Union([Id, Type.Null()]),
  amount_paid: Amount,
  currency: Currency,
  payment_settings: Type.Optional(
    Type.Object({ payment_method_types: Type.Optional(Type.Union([Type.Array(Text), Type.Null()])) }),
  ),
  status_transitions: Type.Object({ paid_at: Seconds }),
})
const FailedInvoice = Type.Object({
  id: Id,
  last_payment_error: Type.Optional(Type.Union([Type.Object({ message: Text }), Type.Null()])),
})
const Refund = Type.Object({ id: Id, amount: Amount, currency: Currency, status: Type.Union([Text, Type.Null()]) })

export function readProviderEvent(options: EventReaderOptions, received: Received): PaymentEvent {
  const event = shaped(Event, verified(options, received))
  if (event.livemode !== options.livemode) throw new UnreadableEvent(`${options.company}: an event of the other mode`)
  const about = { dedupeKey: event.id, providerType: event.type, at: iso(event.created) }
  const { object } = event.data
  switch (event.type) {
    case 'invoice.paid':
      return { ...about, kind: 'paid', ...paid(shaped(PaidInvoice, object)) }
    case 'invoice.payment_failed': {
      const invoice = shaped(FailedInvoice, object)
      return {
        ...about,
        kind: 'payment_failed',
        reference: invoice.id,
        reason: invoice.last_payment_error?.message ?? null,
      }
    }
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed': {
      const { id, status, ...amount } = shaped(Refund, object)
      return {
        ...about,
        kind: 'refund',
        reference: id,
        status: refundStatus(status),
        ...money(amount.amount, amount.currency),
      }
    }
    default:
      return { ...about, kind: 'ignored' }
  }
}

/** A status that we do not know has not ended yet, as far as we can say. */
export function refundStatus(status: string | null): ProviderRefund['status'] {
  if (status === 'succeeded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'processing'
}

function verified({ webhookSecrets }: EventReaderOptions, { headers, body, now }: Received): unknown {
  const signature = headers['stripe-signature']
  if (typeof signature !== 'string') throw new BadSignature('No signature')
  refuseFuture(signature, now)
  // The library decodes before it hashes, which would let a byte order mark or broken characters pass as other bytes.
  if (!isUtf8(body) || body.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))) throw new BadSignature('Not UTF-8')
  const Stripe = stripeLibrary()
  for (const secret of webhookSecrets) {
    try {
      return Stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS, undefined, now.getTime())
    } catch (cause) {
      if (!(cause instanceof Stripe.errors.StripeSignatureVerificationError)) {
        throw new UnreadableEvent('Signed, but not readable', { cause })
      }
    }
  }
  throw new BadSignature('No secret made this signature in time')
}

/** The library refuses only old timestamps. */
function refuseFuture(signature: string, now: Date): void {
  const timestamps = signature.split(',').filter((part) => part.trim().startsWith('t='))
  const seconds = /^t=(\d{1,12})$/.exec(timestamps[0] ?? '')?.[1]
  if (timestamps.length !== 1 || seconds === undefined) throw new BadSignature('No timestamp')
  if (Number(seconds) > now.getTime() / 1000 + TOLERANCE_SECONDS) throw new BadSignature('A timestamp in the future')
}

function paid(invoice: Static<typeof PaidInvoice>) {
  return {
    reference: invoice.id,
    customer: invoice.customer,
    ...money(invoice.amount_paid, invoice.currency),
    method: invoice.payment_settings?.payment_method_types?.[0] ?? null,
    paidAt: iso(invoice.status_transitions.paid_at),
  }
}

function money(minor: number, code: string): { amount: string; currency: string } {
  const currency = code.toUpperCase()
  if (!isCurrency(currency)) throw new UnreadableEvent('An unknown currency')
  return { amount: formatMoney(BigInt(minor), currency), currency }
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString()
}

function shaped<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (!Value.Check(schema, value)) throw new UnreadableEvent('Signed, but not in a shape that we know')
  return value
}
