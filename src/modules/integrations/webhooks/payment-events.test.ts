// The outcomes of a payment event: rejected, ignored, kept for staff or settled; from the sandbox and from Stripe.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { acceptedQuote, buyerOf, deadLetters } from '#test/scenes/commerce.ts'
import { stripeScene } from '#test/scenes/stripe.ts'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'

type Scene = { app: TestApp; secret: string; provider: string; close: () => Promise<void> }

async function sandbox(): Promise<Scene> {
  const app = await startApp({ listens: true })
  return { app, secret: app.secrets.sandboxPayments.entity_br.webhookSecret, provider: 'sandbox', close: app.close }
}
async function stripe(): Promise<Scene> {
  const at = await stripeScene()
  return { app: at.app, secret: at.stripe.webhookSecret, provider: 'stripe-test', close: at.close }
}

const INVOICE = { id: 'in_1', customer: null, amount_paid: 100, currency: 'brl', status_transitions: { paid_at: 1 } }
let next = 1
const event = (changes: object = {}) => ({
  id: `evt_body_${next++}`,
  object: 'event',
  type: 'invoice.paid',
  created: 1_760_000_000,
  livemode: false,
  data: { object: INVOICE },
  ...changes,
})

const paid = (changes: object) => ({ data: { object: { ...INVOICE, ...changes } } })

describe.each([
  ['the sandbox', sandbox],
  ['Stripe', stripe],
])('POST /webhooks/payment/{company} from %s', (_name, open) => {
  let at: Scene
  let administrator: Speaker
  beforeAll(async () => {
    at = await open()
    administrator = await at.app.world.user({ roles: ['customer', 'administrator'] })
  })
  afterAll(() => at.close())

  function send(body: string, secret = at.secret, company = 'entity_br') {
    const seconds = Math.floor(at.app.clock.now.getTime() / 1000)
    const v1 = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
    const headers = { 'stripe-signature': `t=${seconds},v1=${v1}`, 'content-type': 'application/json' }
    return at.app.world.anonymous.post(`/webhooks/payment/${company}`, body, headers)
  }
  const stored = () =>
    at.app.database.query<{ source: string; type: string; body: Buffer; event: unknown; error: string | null }>(
      'select source, type, body, event, error from provider_events order by id',
    )

  it('401 for a signature by another secret, for any body, and nothing is stored', async () => {
    const before = await stored()
    for (const body of [JSON.stringify(event()), 'not json', ''])
      expect((await send(body, 'whsec_of_somebody_else')).status).toBe(401)
    expect((await send(JSON.stringify(event({ livemode: true })))).status).toBe(401)
    expect(await stored()).toEqual(before)
  })

  it('401 for the other legal entity, which has another secret, or no provider', async () => {
    const before = await stored()
    expect((await send(JSON.stringify(event()), at.secret, 'entity_global')).status).toBe(401)
    expect(await stored()).toEqual(before)
  })

  it('200 for a type that is not needed, which is stored without a dead letter', async () => {
    const before = (await deadLetters(at.app)).length
    expect((await send(JSON.stringify(event({ type: 'customer.created' })))).status).toBe(200)
    await at.app.service.worker.drain()
    expect((await stored()).at(-1)).toMatchObject({ source: at.provider, type: 'customer.created', error: null })
    expect(await deadLetters(at.app)).toHaveLength(before)
  })

  it.each([
    ['is no JSON', () => 'not json', 'unreadable'],
    ['is empty', () => '', 'unreadable'],
    ['is a list', () => '[]', 'unreadable'],
    ['has no id', () => JSON.stringify(event({ id: undefined })), 'unreadable'],
    ['has no known shape', () => JSON.stringify(event({ data: { object: {} } })), 'invoice.paid'],
    ['has no time', () => JSON.stringify(event({ created: 'yesterday' })), 'invoice.paid'],
    ['has an amount of a hundred digits', () => JSON.stringify(event(paid({ amount_paid: 1e100 }))), 'invoice.paid'],
    [
      'has an amount past what a number holds',
      () => JSON.stringify(event()).replace('"amount_paid":100', '"amount_paid":9007199254740993'),
      'invoice.paid',
    ],
    ['has an unknown currency', () => JSON.stringify(event(paid({ currency: 'xxq' }))), 'invoice.paid'],
  ])('200 and a dead letter when the signature is valid and the body %s', async (_what, make, type) => {
    const body = make()
    const before = await stored()
    expect(await send(body)).toMatchObject({ status: 200 })
    await at.app.service.worker.drain()
    const kept = (await stored()).slice(before.length)
    expect(kept).toEqual([
      { source: at.provider, type, body: expect.any(Buffer), event: null, error: expect.any(String) },
    ])
    expect(kept[0]?.body.toString()).toBe(body)
    const { data } = await administrator.get('/admin/jobs?kind=payments/handle-event')
    const [note] = data
    expect(note).toMatchObject({ state: 'dead_letter', attempts: 1, organization_id: null })
    expect(note.last_error).toContain(`of ${at.provider} cannot be read: ${kept[0]?.error}`)
    const count = (await deadLetters(at.app)).length
    expect((await send(body)).message).toBe('Event known already')
    await at.app.service.worker.drain()
    expect(await stored()).toHaveLength(before.length + 1)
    expect(await deadLetters(at.app)).toHaveLength(count)
  })

  it('200 and settled for a payment', async () => {
    const acme = await at.app.world.organization()
    const buyer = await buyerOf(acme)
    const { invoice_id } = await acceptedQuote(at.app, acme, buyer)
    const { payment_invoice_id: id } = (await buyer.get(`/invoices/${invoice_id}`)).data
    const before = (await deadLetters(at.app)).length
    expect(
      (await send(JSON.stringify(event({ type: 'invoice.payment_failed', data: { object: { id } } })))).status,
    ).toBe(200)
    await at.app.service.worker.drain()
    expect((await buyer.get(`/invoices/${invoice_id}`)).data.payment_status).toBe('failed')
    expect(await deadLetters(at.app)).toHaveLength(before)
  })
})
