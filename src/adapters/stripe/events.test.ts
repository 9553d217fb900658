// Reading Stripe's events: only what is signed, in time and in a known shape.
import { describe, expect, it } from 'vitest'
import type { ReceivedEvent } from '#ports/payments.ts'
import { stripeLibrary } from './library.ts'
import { stripePayments } from './stripe.ts'

const SECRET = 'whsec_local'
const account = (...webhookSecrets: string[]) =>
  stripePayments({
    company: 'br',
    url: 'http://127.0.0.1:9',
    secretKey: 'sk_test_x',
    livemode: false,
    webhookSecrets,
  })
const payments = account('whsec_older', SECRET)

const EVENT = {
  id: 'evt_1',
  object: 'event',
  type: 'invoice.paid',
  created: 1_760_000_000,
  livemode: false,
  data: { object: {} },
}

function signedBody(changes: object, options: { secret?: string; timestamp?: number } = {}) {
  const payload = JSON.stringify({ ...EVENT, ...changes })
  const signature = stripeLibrary().webhooks.generateTestHeaderString({ payload, secret: SECRET, ...options })
  return { body: Buffer.from(payload), signature }
}

const read = (body: Buffer, signature: string | string[] | undefined): ReceivedEvent =>
  payments.readEvent({ 'stripe-signature': signature }, body, new Date())

function signed(...given: Parameters<typeof signedBody>): ReceivedEvent {
  const { body, signature } = signedBody(...given)
  return read(body, signature)
}

const invoice = { id: 'in_1', customer: null, amount_paid: 100, currency: 'brl', status_transitions: { paid_at: 1 } }

describe('the signature', () => {
  it('is the documented one: HMAC-SHA256 of time, point and raw body with the undecoded secret', () => {
    const payload = '{"id":"evt_test_1","object":"event","type":"invoice.paid"}'
    const v1 = 'dbfff5393c0e4bff794b3e45b0f2f248a02cec3610f9d59af31e83f9a27390d5'
    const given = { payload, secret: 'whsec_test_secret', timestamp: 1_760_000_000 }
    expect(stripeLibrary().webhooks.generateTestHeaderString(given)).toBe(`t=1760000000,v1=${v1}`)
    const readAs = (signature: string) =>
      account('whsec_test_secret').readEvent(
        { 'stripe-signature': signature },
        Buffer.from(payload),
        new Date(1_760_000_100_000),
      )
    // Correctly signed, but unreadable, because the body has no mode, time and object.
    expect(readAs(`t=1760000000,v1=${v1}`)).toMatchObject({
      kind: 'unreadable',
      dedupeKey: 'evt_test_1',
      providerType: 'invoice.paid',
    })
    expect(readAs(`t=1760000000,v1=00,v1=${v1}`)).toMatchObject({
      kind: 'unreadable',
      dedupeKey: 'evt_test_1',
      providerType: 'invoice.paid',
    })
    expect(readAs(`t=1760000000,v0=${v1}`)).toMatchObject({ kind: 'unsigned' })
    expect(readAs(`t=1760000001,v1=${v1}`)).toMatchObject({ kind: 'unsigned' })
  })
  it('is invalid for a changed body, and when changed, missing or doubled', () => {
    const { body, signature } = signedBody({ data: { object: { ...invoice, amount_paid: 15_050 } } })
    expect(read(body, signature).kind).toBe('paid')
    expect(read(Buffer.from(body.toString().replace('15050', '25050')), signature)).toMatchObject({ kind: 'unsigned' })
    expect(read(Buffer.concat([body, Buffer.from(' ')]), signature)).toMatchObject({ kind: 'unsigned' })
    expect(read(Buffer.concat([Buffer.from('\uFEFF'), body]), signature)).toMatchObject({ kind: 'unsigned' })
    expect(read(Buffer.alloc(0), signature)).toMatchObject({ kind: 'unsigned' })
    expect(read(Buffer.from('not json'), signature)).toMatchObject({ kind: 'unsigned' })
    expect(
      read(
        body,
        signature.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      ),
    ).toMatchObject({ kind: 'unsigned' })
    expect(read(body, signature.replace('v1=', 'v0='))).toMatchObject({ kind: 'unsigned' })
    const now = signature.split(',')[0]
    for (const wrong of [undefined, '', 'x', 't=,v1=', [signature], `t=1,${signature}`, `${now},v1=`, `${now},v1`, now])
      expect(read(body, wrong)).toMatchObject({ kind: 'unsigned' })
  })

  it('is invalid with another secret', () => {
    const { body, signature } = signedBody({})
    for (const secrets of [[], ['whsec_other'], [`${SECRET} `]])
      expect(account(...secrets).readEvent({ 'stripe-signature': signature }, body, new Date()).kind).toBe('unsigned')
  })
  it('is invalid more than 300 seconds before or after its time', () => {
    const timestamp = 1_760_000_000
    const { body, signature } = signedBody({ type: 'something.new' }, { timestamp })
    const readAt = (seconds: number) =>
      payments.readEvent({ 'stripe-signature': signature }, body, new Date((timestamp + seconds) * 1000))
    for (const seconds of [-300, 0, 300]) expect(readAt(seconds).kind).toBe('ignored')
    for (const seconds of [-301, 301, 86_400]) expect(readAt(seconds)).toMatchObject({ kind: 'unsigned' })
  })
  it('is not enough for a live event in test mode', () => {
    expect(signed({ livemode: true, data: { object: invoice } })).toMatchObject({ kind: 'unsigned' })
  })
  it('may be of any configured secret', () => {
    expect(signed({ type: 'something.new' }, { secret: 'whsec_older' })).toMatchObject({ kind: 'ignored' })
  })
})

describe('readEvent', () => {
  it.each<[string, object, object]>([
    ['invoice.voided', { id: 'in_1' }, { kind: 'voided', reference: 'in_1', subscription: null }],
    ['invoice.marked_uncollectible', { id: 'in_1' }, { kind: 'uncollectible', reference: 'in_1' }],
    [
      'invoice.payment_failed',
      { id: 'in_1', parent: { subscription_details: { subscription: 'sub_1' } } },
      { kind: 'payment_failed', reference: 'in_1', subscription: 'sub_1' },
    ],
    [
      'customer.subscription.updated',
      { id: 'sub_1', status: 'past_due' },
      { kind: 'subscription', reference: 'sub_1', status: 'past_due' },
    ],
    [
      'customer.subscription.deleted',
      { id: 'sub_1', status: 'canceled' },
      { kind: 'subscription', reference: 'sub_1', status: 'canceled' },
    ],
    [
      'refund.failed',
      { id: 're_1', amount: 150, currency: 'brl', status: 'failed' },
      { kind: 'refund', reference: 're_1', status: 'failed', amount: '1.50', currency: 'BRL' },
    ],
    [
      'charge.dispute.created',
      { id: 'du_1', amount: 150, currency: 'brl', reason: 'fraudulent', charge: 'ch_1', payment_intent: 'pi_1' },
      { kind: 'dispute', reference: 'du_1', payment: 'pi_1', amount: '1.50', currency: 'BRL', reason: 'fraudulent' },
    ],
    ['invoice.payment_succeeded', { id: 'in_1' }, { kind: 'ignored' }],
    ['invoice.overdue', { id: 'in_1' }, { kind: 'ignored' }],
    ['charge.refunded', { id: 'ch_1' }, { kind: 'ignored' }],
    ['something.new', {}, { kind: 'ignored' }],
  ])('reads %s', (type, object, expected) => {
    expect(signed({ type, data: { object } })).toMatchObject({ dedupeKey: 'evt_1', providerType: type, ...expected })
  })

  it('gives ignored for an unknown type', () => {
    expect(signed({ type: 'customer.created' })).toEqual({
      kind: 'ignored',
      dedupeKey: 'evt_1',
      providerType: 'customer.created',
    })
  })
  it.each([
    {
      object: 'v2.core.event',
      type: 'v2.core.account[requirements].updated',
      created: '2026-11-20T13:00:00.000Z',
      data: null,
    },
    { type: 'customer.created', created: null, data: undefined, livemode: undefined },
  ])('ignores a type that is not used whatever its shape: %j', (changes) =>
    expect(signed(changes)).toEqual({ kind: 'ignored', dedupeKey: 'evt_1', providerType: changes.type }),
  )
  it('is unsigned for such a type of the other mode, too', () =>
    expect(signed({ type: 'v2.core.account.updated', data: null, livemode: true }).kind).toBe('unsigned'))

  it.each([
    ['invoice.paid', { ...invoice, subscription: 'sub_1' }],
    ['invoice.paid', { ...invoice, parent: null, subscription: { id: 'sub_1' } }],
    ['invoice.payment_failed', { id: 'in_1', subscription: 'sub_1' }],
    ['invoice.voided', { id: 'in_1', subscription: 'sub_1' }],
    ['invoice.marked_uncollectible', { id: 'in_1', subscription: 'sub_1' }],
    [
      'invoice.paid',
      { ...invoice, subscription: 'sub_0', parent: { subscription_details: { subscription: 'sub_1' } } },
    ],
  ])('%s names its subscription as versions before basil do: %j', (type, object) =>
    expect(signed({ type, data: { object } })).toMatchObject({ reference: 'in_1', subscription: 'sub_1' }),
  )
  it('reads the refunds of endpoints that were made before there was refund.updated', () => {
    const object = { id: 're_1', amount: 100, currency: 'brl', status: 'succeeded' }
    expect(signed({ type: 'charge.refund.updated', data: { object } })).toMatchObject({
      kind: 'refund',
      reference: 're_1',
    })
  })

  it('reads a paid invoice without optional fields', () => {
    expect(signed({ data: { object: invoice } })).toMatchObject({
      kind: 'paid',
      amount: '1.00',
      customer: null,
      method: null,
    })
  })

  it.each([
    ['an invalid id', { id: '../evt', data: { object: invoice } }],
    ['an amount that is no whole number', { data: { object: { ...invoice, amount_paid: 1.5 } } }],
    ['an amount in a string', { data: { object: { ...invoice, amount_paid: '100' } } }],
    ['a negative amount', { data: { object: { ...invoice, amount_paid: -1 } } }],
    ['a currency that is none', { data: { object: { ...invoice, currency: 'xxq' } } }],
    ['no object', { data: { object: null } }],
  ])('says that %s cannot be read, though signed', (_, changes) => {
    expect(signed(changes)).toMatchObject({ kind: 'unreadable', reason: expect.any(String) })
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
    expect(signed({ type: 'refund.updated', data: { object } })).toMatchObject({ kind: 'refund', status: ours })
  })
})
