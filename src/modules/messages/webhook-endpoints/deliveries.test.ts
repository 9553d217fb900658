// Deliveries: what is sent to an endpoint, signed how, in which order, and what the log shows of it.
import { createPublicKey, verify } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Speaker } from '#test/harness/world.ts'
import { draftQuote, sentQuote } from '#test/scenes/commerce.ts'
import { deliveriesOf, happen, websitesAt, webhookScenes } from '#test/scenes/webhooks.ts'
import type { Received } from '#test/stand-ins/webhook-receiver.ts'

let app: TestApp
const { scene, send, close } = webhookScenes(() => app)
beforeAll(async () => void (app = await startApp()))
afterAll(close)

const headersOf = ({ headers }: Received) => ({
  'webhook-id': String(headers['webhook-id']),
  'webhook-timestamp': String(headers['webhook-timestamp']),
  'webhook-signature': String(headers['webhook-signature']),
})

function verifies(key: string, received: Received | undefined): boolean {
  if (!received) return false
  try {
    return new Webhook(key).verify(received.text, headersOf(received)) !== undefined
  } catch {
    return false
  }
}

describe('a delivery', () => {
  it('is the event as the feed has it, signed as Standard Webhooks says', async () => {
    const { org, receiver, id, secret } = await scene()
    const [website] = await happen(org)
    await send()
    const [received] = receiver.received
    expect(receiver.received).toHaveLength(1)
    if (!received) throw new Error('nothing came')
    const event = new Webhook(secret).verify(received.text, headersOf(received))
    expect(event).toMatchObject({
      type: 'organization.updated',
      timestamp: app.clock.now.toISOString(),
      organization_id: org.id,
      resource: 'organization',
      resource_id: org.id,
      thin: false,
      data: { id: org.id, website },
    })
    expect(received.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Titular-Webhooks/1' })
    const [delivery] = await deliveriesOf({ org, id })
    expect(delivery).toMatchObject({ state: 'delivered', attempts_count: 1, last_status: 204, next_attempt_at: null })
    expect(delivery.webhook_id).toBe(received.headers['webhook-id'])
  })
  it('is signed with both secrets after a rotation, and after the overlap with the new one alone', async () => {
    const { org, receiver, id, secret } = await scene()
    const rotated = (await org.owner.post(`/webhook-endpoints/${id}/rotate-secret`, { overlap_hours: 1 })).data.secret
    await happen(org)
    await send()
    expect([secret, rotated].map((key) => verifies(key, receiver.received[0]))).toEqual([true, true])
    app.clock.advance(3600)
    await happen(org)
    await send()
    const signatures = String(receiver.received[1]?.headers['webhook-signature'])
    expect(signatures.split(' ')).toHaveLength(1)
  })
  it('is signed with Ed25519 for v1a, as the public key verifies', async () => {
    const { org, receiver, id } = await scene({ signature: 'v1a' })
    const { public_key } = (await org.owner.get(`/webhook-endpoints/${id}`)).data
    await happen(org)
    await send()
    const [received] = receiver.received
    if (!received) throw new Error('nothing came')
    const headers = headersOf(received)
    const x = Buffer.from(public_key.slice('whpk_'.length), 'base64').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${received.text}`)
    const [scheme = '', signature = ''] = headers['webhook-signature'].split(',')
    expect(scheme).toBe('v1a')
    expect(verify(null, signed, key, Buffer.from(signature, 'base64'))).toBe(true)
  })
  it('comes of what happens after the endpoint was made, of its types only, in order and once', async () => {
    const { org, receiver } = await scene()
    const member = await org.member({ role: 'admin', scopes: ['organization'] })
    const made = await happen(org, 30)
    await org.owner.post('/auth/api-keys', { name: 'ERP' })
    made.push(...(await happen({ ...org, owner: member }, 30)))
    await Promise.all([send(), send()])
    await send()
    expect(websitesAt(receiver)).toEqual(made)
    expect(receiver.mostAtOnce()).toBe(1)
  })
  it('tells nothing of drafts, and a quote from the moment that it is sent', async () => {
    const { org, receiver } = await scene({ events: ['*'] })
    await draftQuote(org)
    const quote = await sentQuote(org)
    await send()
    expect(
      receiver.received.filter(({ type }) => type.startsWith('quote')).map(({ type, data }) => [type, data['id']]),
    ).toEqual([['quote.sent', quote]])
  })
  it('has no data above 20 kB', async () => {
    const { org, receiver } = await scene({ events: ['quote.sent'] })
    const quote = await sentQuote(org, { notes: 'é'.repeat(15_000) })
    await send()
    expect(JSON.parse(receiver.received[0]?.text ?? '{}')).toMatchObject({ resource_id: quote, thin: true, data: null })
  })
})

describe('the log', () => {
  it('shows request and answer of each attempt, the body to those who may read the event', async () => {
    const { org, receiver, id } = await scene({ events: ['quote.sent'] })
    receiver.answer(() => ({ status: 500, headers: { 'x-trace': 'abc' }, body: 'x'.repeat(5000) }))
    await sentQuote(org)
    await send()
    const [{ id: delivery }] = await deliveriesOf({ org, id })
    const read = async (by: Speaker) => (await by.get(`/webhook-endpoints/${id}/deliveries/${delivery}`)).data
    const seen = await read(org.owner)
    const [received] = receiver.received
    expect(seen).toMatchObject({ state: 'pending', attempts_count: 1, last_status: 500, request_body: received?.text })
    expect(seen.attempts).toEqual([
      {
        at: app.clock.now.toISOString(),
        duration_ms: expect.any(Number),
        request_headers: expect.objectContaining({ 'webhook-signature': received?.headers['webhook-signature'] }),
        status: 500,
        error: null,
        response_headers: expect.objectContaining({ 'x-trace': 'abc' }),
        response_body: 'x'.repeat(4096),
      },
    ])
    const without = await read(await org.member({ scopes: ['organization'] }))
    expect(without).toEqual({ ...seen, request_body: null, attempts: [{ ...seen.attempts[0], response_body: '' }] })
    expect((await read(await org.member({ scopes: ['organization', 'quotes'] }))).request_body).toBe(received?.text)
  })
  it('filters by state, type and time', async () => {
    const { org, receiver, id } = await scene({ events: ['organization.updated', 'quote.sent'] })
    receiver.answer(({ type }) => ({ status: type === 'quote.sent' ? 500 : 200 }))
    const before = app.clock.now.toISOString()
    await happen(org)
    await sentQuote(org)
    await send()
    app.clock.advance(60)
    const later = app.clock.now.toISOString()
    await happen(org)
    await send()
    const counts = async (query: string) => (await deliveriesOf({ org, id }, query)).length
    expect(await Promise.all(['', '?state=pending', '?type=quote.sent', `?date_from=${later}`].map(counts))).toEqual([
      3, 1, 1, 1,
    ])
    expect(await counts(`?date_from=${before}&date_to=${before}`)).toBe(2)
    expect((await org.owner.get(`/webhook-endpoints/${id}/deliveries?state=lost`)).status).toBe(422)
  })
  it('ends after the days that the settings say', async () => {
    const { org, id } = await scene()
    await happen(org)
    await send()
    const [{ id: old }] = await deliveriesOf({ org, id })
    const over = new Date(app.clock.now.getTime() - 31 * 86_400_000)
    await app.database.query('update webhook_deliveries set updated_at = $2 where id = $1', [old, over])
    await happen(org)
    await send()
    await app.service.worker.start()
    await app.service.worker.drain()
    await app.service.worker.stop()
    expect(await deliveriesOf({ org, id })).toHaveLength(1)
  })
})
