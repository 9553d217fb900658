// The vendor's own endpoints: the events of all organizations, in the vendor's form, for staff only.
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'
import { vendorKey } from '#test/scenes/vendor-keys.ts'
import { draftQuote } from '#test/scenes/commerce.ts'
import { happen, websitesAt } from '#test/scenes/webhooks.ts'
import { type WebhookReceiver, webhookReceiver } from '#test/stand-ins/webhook-receiver.ts'

const PATH = '/admin/webhook-endpoints'

let app: TestApp
let admin: Speaker
let acme: Organization
let receiver: WebhookReceiver
beforeAll(async () => {
  app = await startApp()
  admin = await app.world.user({ roles: ['customer', 'administrator'] })
  acme = await app.world.organization()
  receiver = await webhookReceiver()
})
afterAll(async () => {
  await app.close()
  await receiver.close()
})

const send = () => app.service.deliverer.drain()
async function endpoint(more: object = {}): Promise<{ id: number; secret: string }> {
  const answer = await admin.post(PATH, { url: receiver.url, events: ['*'], ...more })
  expect(answer, answer.raw.body).toMatchObject({ status: 201, data: { organization_id: null, user_id: null } })
  return answer.data
}
const remove = ({ id }: { id: number }) => admin.delete(`${PATH}/${id}`)

describe('an endpoint of the vendor', () => {
  it('gets the events of all organizations, drafts too, in one order and signed', async () => {
    const made = await endpoint({ events: ['quote.created', 'organization.updated'] })
    const other = await app.world.organization()
    const { id: draft } = await draftQuote(acme)
    const websites = [...(await happen(other)), ...(await happen(acme)), ...(await happen(other))]
    await send()
    const [quote, ...updates] = receiver.received
    expect(quote).toMatchObject({ type: 'quote.created', data: { id: draft, status: 'draft' } })
    expect(updates.map(({ data }) => data['website'])).toEqual(websites)
    const { headers, text } = quote ?? { headers: {}, text: '' }
    const signed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
    expect(new Webhook(made.secret).verify(text, signed)).toMatchObject({ organization_id: acme.id })
    await remove(made)
  })
  it('gets nothing from before it was made or resumed, though nobody had read the order of events', async () => {
    const [website] = await happen(acme)
    const made = await endpoint({ events: ['organization.updated'] })
    receiver.received.length = 0
    await send()
    expect(websitesAt(receiver)).not.toContain(website)
    const [first] = await happen(acme)
    await send()
    expect(websitesAt(receiver)).toEqual([first])
    await app.database.query(
      `update webhook_endpoints set status = 'disabled', disabled_reason = 'gone' where id = $1`,
      [made.id],
    )
    const [missed] = await happen(acme)
    expect((await admin.patch(`${PATH}/${made.id}`, { status: 'active' })).status).toBe(200)
    const [next] = await happen(acme)
    await send()
    expect(websitesAt(receiver)).toEqual([first, next])
    expect([first, next]).not.toContain(missed)
    await remove(made)
  })
  it('is seen, changed and redelivered to by administrators, and by no customer', async () => {
    const { id } = await endpoint()
    await happen(acme)
    await send()
    const at = `${PATH}/${id}`
    const [delivery] = (await admin.get(`${at}/deliveries?type=organization.updated`)).data
    expect(delivery).toMatchObject({ state: 'delivered', attempts_count: 1 })
    const detail = (await admin.get(`${at}/deliveries/${delivery.id}`)).data
    expect(JSON.parse(detail.request_body)).toMatchObject({ organization_id: acme.id })
    receiver.received.length = 0
    expect((await admin.post(`${at}/deliveries/${delivery.id}/redeliver`)).status).toBe(202)
    expect((await admin.post(`${at}/test`)).status).toBe(202)
    await send()
    expect(receiver.types().toSorted()).toEqual(['organization.updated', 'webhook_endpoint.test'])
    const customers = [
      await acme.owner.get(`/webhook-endpoints/${id}`),
      await acme.owner.get(`/webhook-endpoints/${id}/deliveries`),
      await acme.owner.delete(`/webhook-endpoints/${id}`),
    ]
    expect(customers.map(({ status }) => status)).toEqual([404, 404, 404])
    expect((await acme.owner.get(PATH)).status).toBe(403)
    await remove({ id })
  })
  it('is changed with entries in the service’s audit log that hold no secret', async () => {
    const { id } = await endpoint()
    const change = async (body: object) => (await admin.patch(`${PATH}/${id}`, body)).data
    expect(await change({ status: 'paused', description: 'Data warehouse' })).toMatchObject({ status: 'paused' })
    expect(await change({ status: 'active', events: ['quote.paid'] })).toMatchObject({
      status: 'active',
      description: 'Data warehouse',
      events: ['quote.paid'],
    })
    expect((await admin.post(`${PATH}/${id}/rotate-secret`, {})).data.secret).toMatch(/^whsec_/)
    await remove({ id })
    expect((await admin.get(`${PATH}/${id}`)).status).toBe(404)
    const entries = await app.database.query<{ action: string; details: object }>(
      `select action, details from service_audit where resource = 'webhook_endpoint' and resource_id = $1 order by id`,
      [id],
    )
    const acts = ['created', 'updated', 'paused', 'updated', 'resumed', 'secret_rotated', 'deleted']
    expect(entries.map(({ action }) => action)).toEqual(acts)
    expect(JSON.stringify(entries)).not.toContain('nonce')
  })
  it('403 for keys that may not read all events, for its making and for what was sent', async () => {
    const { id } = await endpoint()
    const key = await vendorKey(app, { permissions: ['settings:read', 'settings:write'] })
    const answers = [
      await key.post(PATH, { url: receiver.url, events: ['*'] }),
      await key.patch(`${PATH}/${id}`, { url: receiver.url }),
      await key.post(`${PATH}/${id}/rotate-secret`, {}),
      await key.get(PATH),
      await key.get(`${PATH}/${id}/deliveries`),
    ]
    expect(answers.map(({ status, message }) => [status, message?.includes('Scope not authorized: audit:')])).toEqual(
      answers.map(() => [403, true]),
    )
    await remove({ id })
  })
  it('422 at an address that none may have', async () => {
    const { status } = await admin.post(PATH, { url: 'https://169.254.169.254/', events: ['*'] })
    expect(status).toBe(422)
  })
  it('410: is disabled, and gets the events of a range of time when it is active again', async () => {
    const { id } = await endpoint({ events: ['organization.updated'] })
    receiver.received.length = 0
    receiver.answer(() => ({ status: 410 }))
    app.clock.advance(1)
    const from = app.clock.now.toISOString()
    const websites = await happen(acme, 2)
    await send()
    await app.service.worker.drain()
    expect((await admin.get(`${PATH}/${id}`)).data).toMatchObject({ status: 'disabled', disabled_reason: 'gone' })
    receiver.answer(() => ({ status: 200 }))
    await admin.patch(`${PATH}/${id}`, { status: 'active' })
    app.clock.advance(1)
    receiver.received.length = 0
    await admin.post(`${PATH}/${id}/redeliver`, { from, to: app.clock.now.toISOString() })
    await app.service.worker.drain()
    await send()
    expect(websitesAt(receiver).slice(-2)).toEqual(websites)
    await remove({ id })
  })
})
