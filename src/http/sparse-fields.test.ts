// `fields`: only some fields of a record, in lists and alone.
import { describe, expect, it } from 'vitest'
import { routes } from '../modules.ts'
import { propertiesOf } from '#http/features/sparse-fields.ts'
import { appOfFile } from '#test/harness/app.ts'
import { entitlement } from '#test/scenes/licenses.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const id: number = (await entitlement(acme)).id
await entitlement(acme)

const get = (path: string) => acme.owner.get(path)

describe('fields', () => {
  it('200 with just these fields of a record, in their order', async () => {
    const { status, raw } = await get(`/entitlements/${id}?fields=status,id`)
    expect([status, JSON.parse(raw.body).data]).toEqual([200, { status: 'active', id }])
    expect(raw.body).toContain(`"data":{"status":"active","id":${id}}`)
  })

  it('200 with these of each record of a list, whose page and total stay', async () => {
    const { data, meta } = await get('/entitlements?fields=code,features&per_page=1')
    expect(data).toEqual([{ code: expect.any(String), features: [] }])
    expect(meta).toEqual({ page: 1, per_page: 1, total: 2, pages: 2 })
  })

  it('goes with a cursor, which does not depend on them', async () => {
    const first = await get('/entitlements?cursor=first&per_page=1&fields=id')
    const second = await get(`/entitlements?cursor=${first.meta?.next_cursor}&per_page=1&fields=code`)
    expect([Object.keys(first.data[0]), Object.keys(second.data[0])]).toEqual([['id'], ['code']])
    expect(second.meta?.next_cursor).toBe(null)
  })

  it.each(['nothing', 'id,', '', 'id,organization_id.name', '__proto__', 'constructor', 'renewal_drafted_for'])(
    '422 names the parameter: %s',
    async (fields) => {
      const { status, errors } = await get(`/entitlements/${id}?fields=${fields}`)
      expect([status, Object.keys(errors?.fields ?? {})]).toEqual([422, ['fields']])
    },
  )

  it('404 and 403 as without them', async () => {
    const other = await app.world.organization()
    expect((await other.owner.get(`/entitlements/${id}?fields=id`)).status).toBe(404)
    const member = await acme.member({ scopes: ['tickets'] })
    expect((await member.get('/quotes?fields=id')).status).toBe(403)
  })

  it('has an ETag of its own, which is none of the record', async () => {
    const whole = (await get(`/entitlements/${id}`)).headers['etag']
    const cut = String((await get(`/entitlements/${id}?fields=id`)).headers['etag'])
    expect(cut).not.toBe(whole)
    const { status } = await acme.staff.patch(`/entitlements/${id}`, { quantity: 3 }, { 'if-match': cut })
    expect(status).toBe(412)
  })

  it('is a parameter of every read of records, and of nothing else', () => {
    const takes = routes.filter(({ query }) => 'fields' in (propertiesOf(query) ?? {}))
    expect(takes.filter(({ method, features: { file, secret } }) => method !== 'GET' || file || secret)).toEqual([])
    const lists = routes.filter(({ method, page, access }) => method === 'GET' && page && access.kind !== 'open')
    expect(lists.filter((route) => !takes.includes(route)).map(({ path }) => path)).toEqual([])
  })
})
