// The Idempotency-Key of changes other than POST: the answer of the first request, once its effect.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { sentQuote } from '#test/scenes/commerce.ts'
import { entitlement } from '#test/scenes/licenses.ts'
import type { Speaker } from '#test/harness/world.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const key = (name: string) => ({ 'idempotency-key': name })
const changesOf = async (resource: string, id: number): Promise<number> =>
  (
    await app.database.query(
      `select id from audit_log where organization_id = $1 and resource = $2 and resource_id = $3 and action = 'updated'`,
      [acme.id, resource, id],
    )
  ).length

/** `DELETE` with the headers of a speaker and more. */
const remove = ({ headers }: Speaker, path: string, more: Record<string, string>) =>
  app.service.app.inject({ method: 'DELETE', url: `/api/v1${path}`, headers: { ...headers, ...more } })

describe('an Idempotency-Key', () => {
  it('PATCH: the same answer again, and one effect', async () => {
    const { id } = await entitlement(acme)
    const rename = (product_name: string) => acme.staff.patch(`/entitlements/${id}`, { product_name }, key('rename'))
    const first = await rename('Vault')
    await acme.staff.patch(`/entitlements/${id}`, { product_name: 'Vault Max' })
    const again = await rename('Vault')
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([200, 200, 'true'])
    expect(again.data).toEqual(first.data)
    expect((await acme.owner.get(`/entitlements/${id}`)).data.product_name).toBe('Vault Max')
    expect(await changesOf('entitlement', id)).toBe(2)
  })

  it('PATCH: 422 with its reason for another body, and another record takes the key anew', async () => {
    const [one, other] = [await entitlement(acme), await entitlement(acme)]
    await acme.staff.patch(`/entitlements/${one.id}`, { product_name: 'A' }, key('two'))
    const reused = await acme.staff.patch(`/entitlements/${one.id}`, { product_name: 'B' }, key('two'))
    expect([reused.status, reused.errors?.reason]).toEqual([422, 'idempotency_key_reused'])
    expect((await acme.staff.patch(`/entitlements/${other.id}`, { product_name: 'B' }, key('two'))).status).toBe(200)
  })

  it('PUT: of two at once, one acts', async () => {
    const put = () => acme.owner.put(`/organizations/${acme.id}`, { phone: '+551199990000' }, key('phone'))
    const answers = await Promise.all([put(), put()])
    const statuses = answers.map(({ status, errors }) => `${status} ${errors?.reason ?? ''}`.trim())
    for (const status of statuses) expect(['200', '409 request_in_progress']).toContain(status)
    expect(await changesOf('organization', acme.id)).toBe(1)
  })

  it('DELETE: 200 again for what is gone, and 404 with another key', async () => {
    const { data } = await acme.owner.post('/sites', { domain: 'gone.example', name: 'Gone' })
    const gone = () => remove(acme.owner, `/sites/${data.id}`, key('gone'))
    expect([(await gone()).statusCode, (await gone()).statusCode]).toEqual([200, 200])
    expect((await remove(acme.owner, `/sites/${data.id}`, key('other'))).statusCode).toBe(404)
  })
})

describe('an Idempotency-Key of what answers with a secret', () => {
  const CREATIONS: [what: string, path: string, body: object][] = [
    ['an API key', '/auth/api-keys', { name: 'ERP', permission: 'read' }],
    ['a webhook endpoint', '/webhook-endpoints', { url: 'https://erp.acme.example/hook', events: ['quote.paid'] }],
  ]

  it.each(CREATIONS)('%s: one effect; the repeat is 409 and tells nothing', async (_what, path, body) => {
    const { owner } = await app.world.organization()
    const create = (more = {}) => owner.post(path, { ...body, ...more }, key('secret'))
    const [first, again, other] = [await create(), await create(), await create({ name: 'Other' })]
    expect([first.status, again.status, again.errors?.reason]).toEqual([201, 409, 'answer_not_kept'])
    expect(again.data).toBeNull()
    expect(other.status).toBe(422)
    expect((await owner.get(path)).meta?.total).toBe(1)
    const kept = await app.database.query<{ answer: unknown }>(
      `select answer from idempotency_keys where organization_id = $1`,
      [Number(owner.headers['x-service-organization'])],
    )
    expect(kept).toEqual([{ answer: null }])
  })

  it('each repeat by staff is one entry of the audit log', async () => {
    const org = await app.world.organization()
    const id = await sentQuote(org)
    const share = () => org.staff.post(`/quotes/${id}/links`, {}, key('link'))
    const statuses = [(await share()).status, (await share()).status, (await share()).status]
    expect(statuses).toEqual([201, 409, 409])
    const entries = await app.database.query(
      `select id from audit_log where organization_id = $1 and action = 'staff_entry'
          and after ->> 'request' = 'POST /quotes/{id}/links'`,
      [org.id],
    )
    expect(entries).toHaveLength(3)
  })

  it('is not taken by what people do to their own account, of whose bodies nothing is kept', async () => {
    const { owner } = await app.world.organization()
    await owner.post('/auth/step-up', { current_password: 'wrong' }, key('own'))
    await owner.put('/auth/me', { name: 'Ana' }, key('own'))
    expect(await app.database.query('select 1 from idempotency_keys where organization_id is null')).toEqual([])
  })
})

describe('an Idempotency-Key of what asks others before it acts', () => {
  it('POST: the same answer again when the record is gone, or a header has become wrong', async () => {
    const { data } = await acme.owner.post('/sites', { domain: 'proven.example', name: 'Proven' })
    const path = `/sites/${data.id}`
    const verify = (name: string, more = {}, by = acme.owner) =>
      by.post(`${path}/verify`, {}, { ...key(name), ...more })
    const first = await verify('verify')
    expect([first.status, (await verify('verify', { 'x-reason': '%zz' })).status]).toEqual([200, 200])
    expect((await verify('other', { 'x-reason': '%zz' })).status).toBe(400)
    await acme.owner.delete(path)
    const again = await verify('verify')
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
    expect(again.data).toEqual(first.data)
    expect((await verify('other')).status).toBe(404)
    const reused = await acme.owner.post(`${path}/verify`, { x: 1 }, key('verify'))
    expect([reused.status, reused.errors?.reason]).toEqual([422, 'idempotency_key_reused'])
    const [clerk, stranger] = [await acme.member({ scopes: ['orders'] }), await app.world.organization()]
    expect((await verify('verify', {}, clerk)).status).toBe(403)
    expect((await verify('verify', {}, stranger.owner)).status).toBe(404)
  })
  it('POST: its answer needs the access that the request needed', async () => {
    const { data } = await acme.owner.post('/sites', { domain: 'left.example', name: 'Left' })
    const clerk = await acme.member({ scopes: ['entitlements'] })
    const verify = () => clerk.post(`/sites/${data.id}/verify`, {}, key('left'))
    expect((await verify()).status).toBe(200)
    await app.database.query('delete from collaborators where organization_id = $1 and user_id = $2', [
      acme.id,
      clerk.userId,
    ])
    expect((await verify()).status).toBe(403)
  })
})

describe('a request that took its caller’s access away', () => {
  it('DELETE of an organization: the same answer again, 404 with another key and for others', async () => {
    const gone = await app.world.organization()
    const admin = await gone.member({ role: 'admin' })
    const path = `/organizations/${gone.id}`
    const first = await remove(gone.owner, path, key('the-end'))
    const again = await remove(gone.owner, path, key('the-end'))
    expect([first.statusCode, again.statusCode, again.headers['idempotent-replayed']]).toEqual([200, 200, 'true'])
    expect(again.json()).toEqual(first.json())
    expect((await remove(gone.owner, path, key('another-end'))).statusCode).toBe(404)
    expect((await remove(gone.owner, path, {})).statusCode).toBe(404)
    expect((await remove(admin, path, key('the-end'))).statusCode).toBe(404)
    expect((await remove(gone.owner, path, key('x'.repeat(256)))).statusCode).toBe(404)
  })
  it('DELETE of the own membership: the same answer again, and nothing else of the organization', async () => {
    const { id, owner, member } = await app.world.organization()
    const leaver = await member({ scopes: ['quotes'] })
    const members: { id: number; user_id: number }[] = (await owner.get(`/organizations/${id}/collaborators`)).data
    const own = members.find(({ user_id }) => user_id === leaver.userId)?.id
    const leave = () => remove(leaver, `/organizations/${id}/collaborators/${own}`, key('leaving'))
    const [first, again] = [await leave(), await leave()]
    expect([first.statusCode, again.statusCode]).toEqual([200, 200])
    expect(again.json()).toEqual(first.json())
  })
  it('what an answer tells is not told again to whoever may not read it any more', async () => {
    const { id, owner, member } = await app.world.organization()
    const admin = await member({ role: 'admin', scopes: ['organization'] })
    const rename = () => admin.put(`/organizations/${id}`, { website: 'https://left.example' }, key('before-leaving'))
    expect((await rename()).status).toBe(200)
    const members: { id: number; user_id: number }[] = (await owner.get(`/organizations/${id}/collaborators`)).data
    const theirs = members.find(({ user_id }) => user_id === admin.userId)?.id
    expect((await owner.delete(`/organizations/${id}/collaborators/${theirs}`)).status).toBe(200)
    expect((await rename()).status).toBe(403)
  })
})
