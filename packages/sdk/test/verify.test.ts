// Webhooks and license files as the service makes them are taken; whatever is wrong with one is refused.
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appOfFile } from '../../../test/harness/app.ts'
import { license } from '../../../test/scenes/licenses.ts'
import { happen, webhookScenes } from '../../../test/scenes/webhooks.ts'
import type { Received } from '../../../test/stand-ins/webhook-receiver.ts'
import { verifyLicenseFile, LicenseFileError, verifyWebhook, WebhookError, type WebhookKeys } from '../src/index.ts'
import { failureOf } from './client.ts'

const app = await appOfFile({ listens: true })
const { scene, send } = webhookScenes(() => app)

const now = (): number => app.clock.now.getTime()
async function received(of: Awaited<ReturnType<typeof scene>>): Promise<Received> {
  await happen(of.org)
  await send()
  await of.receiver.close()
  const last = of.receiver.received.at(-1)
  if (!last) throw new Error('nothing came')
  return last
}
const problemOf = async (request: Parameters<typeof verifyWebhook>[0], keys: WebhookKeys): Promise<string> => {
  const error = await failureOf(verifyWebhook(request, keys))
  return error instanceof WebhookError ? error.problem : `no WebhookError: ${String(error)}`
}

describe('a webhook', () => {
  it('of the service is taken, as its headers and its body came', async () => {
    const made = await scene()
    const { headers, text } = await received(made)
    const keys = { secret: made.secret, now }
    const { id, event } = await verifyWebhook({ headers, body: text }, keys)
    expect(event).toMatchObject({
      type: 'organization.updated',
      organization_id: made.org.id,
      data: { id: made.org.id },
    })
    expect(id).toBe(headers['webhook-id'])
    if (event.resource === 'organization') expect(event.data?.website).toMatch(/^https:/)
    const inFetch = new Headers({ ...headers } as Record<string, string>)
    expect((await verifyWebhook({ headers: inFetch, body: Buffer.from(text) }, keys)).id).toBe(id)
    const upper = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))
    expect(
      (
        await verifyWebhook(
          { headers: upper, body: text },
          { ...keys, secret: ['whsec_' + 'A'.repeat(32), made.secret] },
        )
      ).id,
    ).toBe(id)
  })
  it('is refused with another secret, body, id or time, too old, or without headers', async () => {
    const made = await scene()
    const { headers, text: body } = await received(made)
    const keys = { secret: made.secret, now }
    const wrong = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
    const other = (more: Record<string, string | undefined>) =>
      problemOf({ headers: { ...headers, ...more }, body }, keys)
    expect(await problemOf({ headers, body }, { ...keys, secret: wrong })).toBe('signature')
    expect(await problemOf({ headers, body: `${body} ` }, keys)).toBe('signature')
    expect(await problemOf({ headers, body: body.replace('organization', 'Organization') }, keys)).toBe('signature')
    expect(await other({ 'webhook-id': 'msg_1' })).toBe('signature')
    expect(await other({ 'webhook-timestamp': String(Math.floor(now() / 1000) - 1) })).toBe('signature')
    for (const signature of ['v1,', 'v1,AAAA', 'v1,é', 'v2,x', ' ', String(headers['webhook-signature']).slice(3)])
      expect([await other({ 'webhook-signature': signature }), signature]).toEqual(['signature', signature])
    for (const seconds of [301, -301])
      expect(await problemOf({ headers, body }, { ...keys, now: () => now() + seconds * 1000 })).toBe('timestamp')
    expect((await verifyWebhook({ headers, body }, { ...keys, now: () => now() + 290_000 })).id).toMatch(/^msg_/)
    expect(await problemOf({ headers, body }, { ...keys, toleranceSeconds: 10, now: () => now() + 12_000 })).toBe(
      'timestamp',
    )
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      expect(await other({ [name]: undefined })).toBe('headers')
    expect(await other({ 'webhook-timestamp': 'now' })).toBe('headers')
    await expect(verifyWebhook({ headers, body }, { ...keys, secret: 'whsec_short' })).rejects.toThrow(TypeError)
  })
  it('that is genuine and no JSON is refused', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const time = String(Math.floor(now() / 1000))
    const mac = createHmac('sha256', Buffer.alloc(32, 7)).update(`msg_1.${time}.no JSON`).digest('base64')
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': time, 'webhook-signature': `v1,${mac}` }
    expect(await problemOf({ headers, body: 'no JSON' }, { secret, now })).toBe('body')
  })
  it('with a signature by a private key is taken with the public one', async () => {
    const made = await scene({ signature: 'v1a' })
    const { public_key: secret } = (await made.org.owner.get(`/webhook-endpoints/${made.id}`)).data
    const { headers, text: body } = await received(made)
    expect((await verifyWebhook({ headers, body }, { secret, now })).event.type).toBe('organization.updated')
    expect(await problemOf({ headers, body: `${body} ` }, { secret, now })).toBe('signature')
    const { publicKey } = generateKeyPairSync('ed25519')
    const other = `whpk_${Buffer.from(String(publicKey.export({ format: 'jwk' }).x), 'base64url').toString('base64')}`
    expect(await problemOf({ headers, body }, { secret: other, now })).toBe('signature')
  })
  it('during a rotation is taken with the new and with the old secret', async () => {
    const made = await scene()
    const { data } = await made.org.owner.post(`/webhook-endpoints/${made.id}/rotate-secret`, { overlap_hours: 1 })
    const { headers, text: body } = await received(made)
    for (const secret of [made.secret, data.secret])
      expect((await verifyWebhook({ headers, body }, { secret, now })).id).toBe(headers['webhook-id'])
  })
})

describe('a license file', async () => {
  const acme = await app.world.organization()
  const { id, license_key } = await license(acme)
  for (const domain of ['shop.acme.example', 'bücher.example'])
    await acme.owner.post(`/licenses/${id}/activate`, { domain })
  const { content, expires_at } = (await acme.owner.get(`/licenses/${id}/file`)).data
  const keys = JSON.parse((await app.service.app.inject('/.well-known/license-keys.json')).body)
  const refused = async (file: string, more: object = {}): Promise<string> => {
    const error = await failureOf(verifyLicenseFile(file, { keys, now, ...more }))
    return error instanceof LicenseFileError ? error.problem : `no LicenseFileError: ${String(error)}`
  }

  it('of the service is taken where the product may run, in any form of the domain', async () => {
    const claims = await verifyLicenseFile(`${content}\n`, { keys, now })
    expect(claims).toMatchObject({ sub: String(id), license_key, product_name: 'Backup Pro', activations_limit: 5 })
    for (const domain of ['shop.acme.example', 'https://WWW.Shop.ACME.example:8443/cart?x=1', 'bücher.example.'])
      expect((await verifyLicenseFile(content, { keys, now, domain })).license_key).toBe(license_key)
    expect(await refused(content, { domain: 'other.example' })).toBe('domain')
  })
  it('is refused when it has expired, was changed, is of another key, or is none', async () => {
    expect(await refused(content, { now: () => Date.parse(expires_at) })).toBe('expired')
    const [head, payload = '', signature] = content.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const forged = Buffer.from(JSON.stringify({ ...claims, activations_limit: 500 })).toString('base64url')
    expect(await refused([head, forged, signature].join('.'))).toBe('signature')
    const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
    expect(await refused(content, { keys: { keys: [{ ...keys.keys[0], x }] } })).toBe('signature')
    expect(await refused(content, { keys: { keys: [] } })).toBe('unknown_key')
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'titular-license' })).toString('base64url')
    for (const file of ['', 'a.b.c', `${none}.${payload}.`, `${content}.x`, '{"alg":"EdDSA"}'])
      expect(await refused(file)).toBe('malformed')
  })
})
