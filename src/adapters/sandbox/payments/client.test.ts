// The payment port on the sandbox adapter, over HTTP: what any payment adapter must do.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PaymentProviderUnavailable, PaymentRefused } from '#ports/payments.ts'
import { until } from '#test/harness/until.ts'
import { sandboxPayments } from './client.ts'
import { checkoutRequest, listen, localWorld, pay, type LocalWorld } from './local-world.ts'

let world: LocalWorld

beforeEach(async () => {
  world = await localWorld()
})
afterEach(async () => {
  await world[Symbol.asyncDispose]()
})

function lastEvent(now = new Date()) {
  const received = world.received.at(-1)
  if (!received) throw new Error('No event')
  return world.payments.readEvent(received.headers, received.body, now)
}

function at(baseUrl: string, more: { secretKey?: string; timeoutMs?: number } = {}) {
  return sandboxPayments({ company: 'br', baseUrl, secretKey: 'sk', webhookSecrets: [], livemode: false, ...more })
}

async function paidCheckout() {
  const checkout = await world.payments.openCheckout(checkoutRequest())
  await pay(checkout.checkoutUrl, 'paid')
  await until(() => world.received.length === 1)
  return checkout
}

describe('openCheckout', () => {
  it('gives a reference, a page to pay on and a customer', async () => {
    const checkout = await world.payments.openCheckout(checkoutRequest())
    expect(checkout.reference).toMatch(/^in_/)
    expect(checkout.customer).toMatch(/^cus_/)
    expect(checkout.checkoutUrl).toBe(`${world.url}/sandbox/pay/br/${checkout.reference}`)
  })

  it('opens nothing new with the same key, also when the organization has its customer by then and another name', async () => {
    const first = await world.payments.openCheckout(checkoutRequest())
    expect(await world.payments.openCheckout(checkoutRequest())).toEqual(first)
    expect(
      await world.payments.openCheckout(checkoutRequest({ customer: first.customer, organizationName: 'New' })),
    ).toEqual(first)
    expect(await Promise.all([1, 2, 3].map(() => world.payments.openCheckout(checkoutRequest())))).toEqual([
      first,
      first,
      first,
    ])
  })

  it('opens another with another key, for the same customer', async () => {
    const first = await world.payments.openCheckout(checkoutRequest())
    const second = await world.payments.openCheckout(checkoutRequest({ idempotencyKey: 'invoice 13 checkout' }))
    expect(second.reference).not.toBe(first.reference)
    expect(second.customer).toBe(first.customer)
  })

  it('is refused: the same key for another amount', async () => {
    await world.payments.openCheckout(checkoutRequest())
    await expect(world.payments.openCheckout(checkoutRequest({ amount: '1.00' }))).rejects.toThrow(PaymentRefused)
  })

  it.each([
    ['an amount with too many digits', { amount: '150.505' }],
    ['no amount', { amount: '0.00' }],
    ['a currency that is none', { currency: 'R$' }],
    ['a customer that does not exist', { customer: 'cus_000000000000000000000000' }],
  ])('is refused: %s', async (_, changes) => {
    await expect(world.payments.openCheckout(checkoutRequest(changes))).rejects.toThrow(PaymentRefused)
  })

  it.each([
    ['JPY', '1500', '1500'],
    ['KWD', '1.5', '1.500'],
  ])('counts the minor units of %s', async (currency, amount, paid) => {
    const checkout = await world.payments.openCheckout(checkoutRequest({ currency, amount, lines: [] }))
    await pay(checkout.checkoutUrl, 'paid')
    await until(() => world.received.length === 1)
    expect(lastEvent()).toMatchObject({ kind: 'paid', amount: paid, currency })
  })
})

describe('closeCheckout', () => {
  it('makes it unpayable, and closing again is a success', async () => {
    const { reference, checkoutUrl } = await world.payments.openCheckout(checkoutRequest())
    await world.payments.closeCheckout(reference, 'close 1')
    await world.payments.closeCheckout(reference, 'close 1')
    await world.payments.closeCheckout(reference, 'close 2')
    expect((await pay(checkoutUrl, 'paid')).status).toBe(409)
    expect(world.received).toEqual([])
  })

  it('is refused when it was paid meanwhile, or never existed', async () => {
    const { reference } = await paidCheckout()
    await expect(world.payments.closeCheckout(reference, 'close')).rejects.toThrow(PaymentRefused)
    await expect(world.payments.closeCheckout('in_none', 'close')).rejects.toThrow(PaymentRefused)
  })
})

describe('refund', () => {
  const request = { idempotencyKey: 'refund 3', refundId: 3, amount: '50.00', currency: 'BRL' }

  it('is processing at first and confirmed by an event after a moment, once per key', async () => {
    const { reference } = await paidCheckout()
    const first = await world.payments.refund({ ...request, reference })
    expect(first).toEqual({ reference: expect.stringMatching(/^re_/), status: 'processing' })
    expect(await world.payments.refund({ ...request, reference })).toEqual(first)
    await until(() => world.received.length === 2)
    expect(lastEvent()).toMatchObject({
      kind: 'refund',
      reference: first.reference,
      status: 'succeeded',
      amount: '50.00',
      currency: 'BRL',
    })
    expect(await world.payments.refund({ ...request, reference })).toEqual(first)
    expect(world.received).toHaveLength(2)
  })

  it('never exceeds what was paid, also at once', async () => {
    const { reference } = await paidCheckout()
    const keys = ['a', 'b', 'c', 'd']
    const results = await Promise.allSettled(
      keys.map((idempotencyKey) => world.payments.refund({ ...request, idempotencyKey, reference })),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))).toEqual([
      expect.any(PaymentRefused),
    ])
    await until(() => world.received.length === 4)
  })

  it('is refused for what is not paid, for nothing, and for the same key with another amount', async () => {
    const open = await world.payments.openCheckout(checkoutRequest({ idempotencyKey: 'open' }))
    await expect(world.payments.refund({ ...request, reference: open.reference })).rejects.toThrow(PaymentRefused)
    const { reference } = await paidCheckout()
    await expect(world.payments.refund({ ...request, reference, amount: '0.00' })).rejects.toThrow(PaymentRefused)
    await world.payments.refund({ ...request, reference })
    await expect(world.payments.refund({ ...request, reference, amount: '51.00' })).rejects.toThrow(PaymentRefused)
    await until(() => world.received.length === 2)
  })
})

describe('a provider in trouble', () => {
  it('that is down is unavailable', async () => {
    const gone = await listen(() => undefined)
    await gone.close()
    await expect(at(gone.url).openCheckout(checkoutRequest())).rejects.toThrow(PaymentProviderUnavailable)
  })

  it.each<[string, Parameters<typeof listen>[0]]>([
    ['hangs', () => undefined],
    ['drips without end', (_, outgoing) => void setInterval(() => outgoing.write(' '), 20).unref()],
  ])('that %s is unavailable after a while', async (_, listener) => {
    const server = await listen(listener)
    const impatient = at(server.url, { timeoutMs: 200 })
    await expect(impatient.openCheckout(checkoutRequest())).rejects.toThrow(PaymentProviderUnavailable)
    await server.close()
  })

  it.each<[string, Parameters<typeof listen>[0]]>([
    [
      'is cut in the middle of the body',
      (_, outgoing) => void outgoing.writeHead(200, { 'content-length': '100' }).write('{', () => outgoing.destroy()),
    ],
    ['answers 500', (_, outgoing) => void outgoing.writeHead(500).end('{}')],
    ['answers 429', (_, outgoing) => void outgoing.writeHead(429).end('{}')],
    ['redirects', (_, outgoing) => void outgoing.writeHead(302, { location: '/elsewhere' }).end()],
    ['answers no JSON', (_, outgoing) => void outgoing.writeHead(200).end('<html>')],
    ['answers another shape', (_, outgoing) => void outgoing.writeHead(200).end('{"id":7}')],
  ])('that %s is unavailable', async (_, listener) => {
    const server = await listen(listener)
    await expect(at(server.url).openCheckout(checkoutRequest())).rejects.toThrow(PaymentProviderUnavailable)
    await server.close()
  })

  it('that answers more than 1 MiB is unavailable', async () => {
    let padding = 900_000
    const answer = { id: 'in_1', hosted_invoice_url: 'https://pay.example/1' }
    const server = await listen(
      (_, outgoing) => void outgoing.end(JSON.stringify({ ...answer, pad: 'x'.repeat(padding) })),
    )
    const request = checkoutRequest({ customer: 'cus_1' })
    expect(await at(server.url).openCheckout(request)).toMatchObject({ reference: 'in_1' })
    padding = 1_100_000
    await expect(at(server.url).openCheckout(request)).rejects.toThrow(PaymentProviderUnavailable)
    await server.close()
  })

  it('that does not know our key refuses', async () => {
    const stranger = at(`${world.url}/sandbox/payments/br`, { secretKey: 'sk_wrong' })
    await expect(stranger.openCheckout(checkoutRequest())).rejects.toThrow(PaymentRefused)
    const lost = at(`${world.url}/sandbox/payments/none`)
    await expect(lost.openCheckout(checkoutRequest())).rejects.toThrow(PaymentRefused)
  })
})
