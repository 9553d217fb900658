// Reading the provider's events: only what is signed, in time and in a known shape.
import { Stripe } from 'stripe'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReceivedEvent } from '#ports/payments.ts'
import { until } from '#test/harness/until.ts'
import { sandboxPayments } from './client.ts'
import { WEBHOOK_SECRET, checkoutRequest, localWorld, pay, type LocalWorld } from './local-world.ts'

let world: LocalWorld

beforeEach(async () => {
  world = await localWorld()
})
afterEach(async () => {
  await world[Symbol.asyncDispose]()
})

function firstReceived() {
  const [received] = world.received
  if (!received) throw new Error('No event')
  return received
}

function lastEvent(now = new Date()) {
  const received = world.received.at(-1)
  if (!received) throw new Error('No event')
  return world.payments.readEvent(received.headers, received.body, now)
}

function signed(changes: object): () => ReceivedEvent {
  const event = {
    id: 'evt_1',
    object: 'event',
    type: 'invoice.paid',
    created: 1_760_000_000,
    livemode: false,
    data: { object: {} },
  }
  const payload = JSON.stringify({ ...event, ...changes })
  const headers = {
    'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET }),
  }
  return () => world.payments.readEvent(headers, Buffer.from(payload), new Date())
}

async function paidCheckout() {
  const checkout = await world.payments.openCheckout(checkoutRequest())
  await pay(checkout.checkoutUrl, 'paid')
  await until(() => world.received.length === 1)
  return checkout
}

describe('readEvent', () => {
  it('reads a payment that arrived signed', async () => {
    const { reference, customer } = await paidCheckout()
    expect(world.received[0]?.path).toBe('/api/v1/webhooks/payment/br')
    expect(lastEvent()).toEqual({
      dedupeKey: expect.stringMatching(/^evt_/),
      providerType: 'invoice.paid',
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      kind: 'paid',
      reference,
      customer,
      amount: '150.50',
      currency: 'BRL',
      method: 'card',
      paidAt: expect.stringMatching(/^\d{4}-.*Z$/),
      subscription: null,
    })
    const raw: unknown = JSON.parse(world.received[0]?.body.toString() ?? '')
    const metadata = { invoice_id: '12', organization_id: '7' }
    expect(raw).toMatchObject({
      object: 'event',
      livemode: false,
      data: { object: { amount_paid: 15050, currency: 'brl', metadata } },
    })
  })

  it('reads a failed payment', async () => {
    const { reference, checkoutUrl } = await world.payments.openCheckout(checkoutRequest())
    await pay(checkoutUrl, 'failed')
    await until(() => world.received.length === 1)
    expect(lastEvent()).toMatchObject({ kind: 'payment_failed', reference, reason: 'Your card was declined.' })
  })

  it('refuses a changed body, a changed, missing or doubled signature', async () => {
    await paidCheckout()
    const { headers, body } = firstReceived()
    const signature = String(headers['stripe-signature'])
    const read = (changed: Buffer, value: string | string[] | undefined) => () =>
      world.payments.readEvent({ ...headers, 'stripe-signature': value }, changed, new Date())
    expect(read(body, signature)().kind).toBe('paid')
    expect(read(Buffer.from(body.toString().replace('15050', '25050')), signature)().kind).toBe('unsigned')
    expect(read(Buffer.concat([body, Buffer.from(' ')]), signature)().kind).toBe('unsigned')
    expect(read(Buffer.concat([Buffer.from('\uFEFF'), body]), signature)().kind).toBe('unsigned')
    expect(read(Buffer.alloc(0), signature)().kind).toBe('unsigned')
    expect(read(Buffer.from('not json'), signature)().kind).toBe('unsigned')
    const changed = signature.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    expect(read(body, changed)().kind).toBe('unsigned')
    expect(read(body, signature.replace('v1=', 'v0='))().kind).toBe('unsigned')
    for (const wrong of [undefined, '', 'x', 't=,v1=', [signature], `t=1,${signature}`])
      expect(read(body, wrong)().kind).toBe('unsigned')
  })

  it('refuses the signature of another secret', async () => {
    await paidCheckout()
    const { headers, body } = firstReceived()
    const options = { company: 'br', baseUrl: world.url, secretKey: 'sk', livemode: false } as const
    for (const webhookSecrets of [[], ['whsec_other'], [`${WEBHOOK_SECRET} `]]) {
      const other = sandboxPayments({ ...options, webhookSecrets })
      expect(other.readEvent(headers, body, new Date()).kind).toBe('unsigned')
    }
  })

  it('refuses what is more than 300 seconds old or ahead', async () => {
    await paidCheckout()
    const signedAt = Number(/t=(\d+)/.exec(String(world.received[0]?.headers['stripe-signature']))?.[1])
    const readAt = (seconds: number) => () => lastEvent(new Date((signedAt + seconds) * 1000))
    for (const seconds of [-300, 0, 300]) expect(readAt(seconds)().kind).toBe('paid')
    for (const seconds of [-301, 301, 86_400]) expect(readAt(seconds)().kind).toBe('unsigned')
  })

  it('agrees with a known vector of the scheme', () => {
    const payments = sandboxPayments({
      company: 'br',
      baseUrl: world.url,
      secretKey: 'sk',
      webhookSecrets: ['whsec_test_secret'],
      livemode: false,
    })
    const body = Buffer.from('{"id":"evt_test_1","object":"event","type":"invoice.paid"}')
    const headers = {
      'stripe-signature': 't=1760000000,v1=dbfff5393c0e4bff794b3e45b0f2f248a02cec3610f9d59af31e83f9a27390d5',
    }
    // Signed rightly, so it gets as far as its shape, which lacks everything.
    expect(payments.readEvent(headers, body, new Date(1_760_000_000_000)).kind).toBe('unreadable')
  })

  it('keeps and ignores an unknown type', () => {
    expect(signed({ type: 'customer.created' })()).toEqual({
      kind: 'ignored',
      dedupeKey: 'evt_1',
      providerType: 'customer.created',
      at: '2025-10-09T08:53:20.000Z',
    })
  })

  const invoice = { id: 'in_1', customer: null, amount_paid: 100, currency: 'brl', status_transitions: { paid_at: 1 } }

  it('takes a paid invoice with nothing more than it needs', () => {
    expect(signed({ data: { object: invoice } })()).toMatchObject({
      kind: 'paid',
      amount: '1.00',
      customer: null,
      method: null,
    })
  })

  it('a live event, though signed, is none of ours', () => {
    expect(signed({ livemode: true, data: { object: invoice } })().kind).toBe('unsigned')
  })

  it.each([
    ['an id that is none', { id: '../evt', data: { object: invoice } }],
    ['an amount that is no whole number', { data: { object: { ...invoice, amount_paid: 1.5 } } }],
    ['an amount in a string', { data: { object: { ...invoice, amount_paid: '100' } } }],
    ['a negative amount', { data: { object: { ...invoice, amount_paid: -1 } } }],
    ['a currency that is none', { data: { object: { ...invoice, currency: 'xxq' } } }],
    ['no object', { data: { object: null } }],
  ])('cannot read %s, though signed', (_, changes) => {
    expect(signed(changes)()).toMatchObject({ kind: 'unreadable', reason: expect.any(String) })
  })

  it.each([
    ['pending', 'processing'],
    ['requires_action', 'processing'],
    ['a new one', 'processing'],
    [null, 'processing'],
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['canceled', 'failed'],
  ])("reads the provider's refund status %s as %s", (status, ours) => {
    const object = { id: 're_1', amount: 100, currency: 'brl', status }
    expect(signed({ type: 'refund.updated', data: { object } })()).toMatchObject({ kind: 'refund', status: ours })
  })
})
