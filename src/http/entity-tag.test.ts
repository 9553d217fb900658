// The ETag of records, and 304 for who has the answer already.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { entitlement } from '#test/scenes/licenses.ts'

const app = await appOfFile({ listens: true })
const acme = await app.world.organization()
const id: number = (await entitlement(acme, { product_name: 'Backup' })).id

const tagOf = async (path: string, by = acme.owner) => String((await by.get(path)).headers['etag'])
const having = (path: string, etag: string, by = acme.owner) => by.get(path, { 'if-none-match': etag })

describe('the answer of a read that is one record', () => {
  it('200 with an ETag, which stays while nothing changes; 304 without a body for it', async () => {
    const path = `/entitlements/${id}`
    const etag = await tagOf(path)
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    expect(await tagOf(path)).toBe(etag)
    for (const given of [etag, `"x", W/${etag}`, '*']) {
      const { raw } = await having(path, given)
      expect([raw.statusCode, raw.body, raw.headers['etag']]).toEqual([304, '', etag])
      expect(raw.headers).not.toHaveProperty('content-type')
      expect(raw.headers['cache-control']).toBe('private, no-cache')
    }
    expect((await having(path, '"x"')).status).toBe(200)
  })
  it('200 with another ETag after a change', async () => {
    const path = `/entitlements/${id}`
    const etag = await tagOf(path)
    await acme.staff.patch(path, { product_name: 'Backup Pro' })
    const answer = await having(path, etag)
    expect([answer.status, answer.data.product_name]).toEqual([200, 'Backup Pro'])
    expect(answer.headers['etag']).not.toBe(etag)
  })
  it('answers as before to those who may not read it, whatever they have', async () => {
    const other = await app.world.organization()
    expect((await having(`/entitlements/${id}`, '*', other.owner)).status).toBe(404)
    expect((await having('/entitlements/check', '*')).status).toBe(422)
  })
  it('is the same for HEAD, over HTTP', async () => {
    const etag = await tagOf(`/entitlements/${id}`)
    const { authorization } = acme.owner.headers
    const headers = { authorization, 'x-service-organization': String(acme.id) }
    const url = `${app.url}/api/v1/entitlements/${id}`
    const head = await fetch(url, { method: 'HEAD', headers })
    expect([head.status, head.headers.get('etag')]).toEqual([200, etag])
    for (const method of ['HEAD', 'GET']) {
      const kept = await fetch(url, { method, headers: { ...headers, 'if-none-match': etag } })
      expect([kept.status, await kept.text(), kept.headers.get('etag')]).toEqual([304, '', etag])
    }
  })
  it('has none where it is a list, a change, or a secret', async () => {
    for (const path of ['/entitlements', `/entitlements/${id}/licenses`])
      expect((await acme.owner.get(path)).headers).not.toHaveProperty('etag')
    expect((await acme.staff.patch(`/entitlements/${id}`, { quantity: 2 })).headers).not.toHaveProperty('etag')
  })
})

describe('GET /entitlements/check', () => {
  it('304 at a later moment while the answer is the same, until it is not', async () => {
    const { id: own } = await entitlement(acme, { class: 'SVC' })
    const path = '/entitlements/check?class=SVC'
    const etag = await tagOf(path)
    expect(etag).toMatch(/^W\//)
    app.clock.now = new Date(app.clock.now.getTime() + 60_000)
    expect((await having(path, etag)).status).toBe(304)
    await acme.staff.post(`/entitlements/${own}/suspend`, { reason: 'A check' })
    const answer = await having(path, etag)
    expect([answer.status, answer.data.reason]).toEqual([200, 'suspended'])
  })
})
