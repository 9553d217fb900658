// One legal entity's account at the sandbox payment provider, and its events: stored, sent, repeated.
import { randomBytes } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { postEvent } from '../post-event.ts'
import type { RecordStore } from './record-store.ts'
import {
  API_VERSION,
  type Dispute,
  type Invoice,
  type PaymentRecord,
  type ProviderEvent,
  type Refund,
  type Subscription,
} from './records.ts'
import type { Schedule } from './schedule.ts'
import { stripeSignature } from './signature.ts'

export type Company = {
  name: string
  /** The seller's name on the pay page. */
  seller: string
  secretKey: string
  webhookSecret: string
  webhookUrl: string
  payUrl(id: string): string
  /** Stripe's minor units as a decimal string. */
  amountOf(minor: number, currency: string): string
  store: RecordStore
  timing: Timing
  /** Plans what is left for a stored record: events to send, a refund to confirm. */
  wake(record: PaymentRecord): void
}

export type Timing = {
  /** The gap before the first attempt, the second, …; the last one repeats. */
  retryGapsMs: readonly number[]
  refundDelayMs: number
  timeoutMs: number
}

/** Opened with the first event. */
export type Connections = () => Promise<Dispatcher>

/** An event that is not delivered after a day is given up. */
const DELIVERY_AGE_SECONDS = 24 * 3600

export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

/** Stores the change and its event in one rename: neither exists without the other. */
export function withEvent<T extends PaymentRecord>(
  record: T,
  type: string,
  object: Dispute | Invoice | Refund | Subscription,
): T {
  const event: ProviderEvent = {
    id: `evt_${randomBytes(12).toString('hex')}`,
    object: 'event',
    api_version: API_VERSION,
    created: nowInSeconds(),
    livemode: false,
    type,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    data: { object },
  }
  const delivery = { event, attempts: 0, delivered_at: null, given_up_at: null }
  return { ...record, deliveries: [...record.deliveries, delivery] }
}

export function planner(company: Company, later: Schedule, dispatcher: Connections): Company['wake'] {
  return (record) => {
    for (const { event, delivered_at, given_up_at } of record.deliveries) {
      if (delivered_at !== null || given_up_at !== null) continue
      later.plan(
        `${company.name} ${event.id}`,
        firstGap(company),
        deliver(company, record.object.id, event, dispatcher),
      )
    }
    if (record.kind === 'refund' && record.object.status === 'pending') {
      const delayMs = Math.max(0, record.confirms_at - Date.now())
      later.plan(`${company.name} ${record.object.id}`, delayMs, () => confirmRefund(company, record.object.id))
    }
  }
}

/** Attempts are counted per process, so that after a restart the short gaps come first again. */
function deliver(company: Company, id: string, event: ProviderEvent, dispatcher: Connections) {
  let attempts = 0
  return async (signal: AbortSignal): Promise<number | null> => {
    const delivered = await send(company, event, await dispatcher(), signal)
    // Stopped before the answer: the next start sends it again under the same event id.
    if (signal.aborted && !delivered) return null
    attempts += 1
    const tooOld = nowInSeconds() - event.created > DELIVERY_AGE_SECONDS
    await recordAttempt(company, id, event.id, delivered ? 'delivered' : tooOld ? 'given up' : 'failed')
    return delivered || tooOld ? null : (company.timing.retryGapsMs[attempts] ?? company.timing.retryGapsMs.at(-1) ?? 0)
  }
}

async function send(company: Company, event: ProviderEvent, dispatcher: Dispatcher, stop: AbortSignal) {
  const { webhookUrl: url, webhookSecret, timing } = company
  const body = JSON.stringify(event)
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'stripe-signature': stripeSignature(body, webhookSecret, nowInSeconds()),
  }
  return postEvent({ url, headers, body }, { dispatcher, stop, timeoutMs: timing.timeoutMs })
}

function recordAttempt(company: Company, id: string, eventId: string, result: 'delivered' | 'failed' | 'given up') {
  return company.store.exclusively(async () => {
    const record = await company.store.read(id)
    if (!record) return
    const at = new Date().toISOString()
    const deliveries = record.deliveries.map((delivery) =>
      delivery.event.id === eventId
        ? {
            ...delivery,
            attempts: delivery.attempts + 1,
            delivered_at: result === 'delivered' ? at : null,
            given_up_at: result === 'given up' ? at : null,
          }
        : delivery,
    )
    await company.store.write({ ...record, deliveries })
  })
}

async function confirmRefund(company: Company, id: string): Promise<null> {
  await company.store.exclusively(async () => {
    const record = await company.store.read(id)
    if (record?.kind !== 'refund' || record.object.status !== 'pending') return
    const object: Refund = { ...record.object, status: 'succeeded' }
    const confirmed = withEvent({ ...record, object }, 'refund.updated', object)
    await company.store.write(confirmed)
    company.wake(confirmed)
  })
  return null
}

function firstGap(company: Company): number {
  return company.timing.retryGapsMs[0] ?? 0
}
