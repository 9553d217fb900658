// Licenses: who creates them, their moves, and their limit.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { entitlement, license } from '#test/scenes/licenses.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const other = await app.world.organization()
const member = await acme.member({ scopes: ['licenses'] })

const in10Days = (): string => new Date(app.clock.now.getTime() + 10 * 86_400_000).toISOString()
const at = (id: number, rest = ''): string => `/licenses/${id}${rest}`
const history = async (id: number) => (await member.get(at(id, '/history?per_page=100'))).data

describe('POST /licenses', () => {
  it('201 with a key, the product and the end of the entitlement', async () => {
    const { id, code, expires_at } = await entitlement(acme, { expires_at: in10Days() })
    const answer = await acme.staff.post('/licenses', { entitlement_id: id, organization_id: acme.id })
    expect(answer.status).toBe(201)
    expect(answer.data).toMatchObject({
      license_key: expect.stringMatching(/^([2-9A-HJKMNP-Z]{5}-){4}[2-9A-HJKMNP-Z]{5}$/),
      organization_id: acme.id,
      product_name: 'Backup Pro',
      status: 'active',
      entitlement_id: id,
      entitlement_code: code,
      activations_limit: 1,
      activations_count: 0,
      activated_domains: [],
      staging_domains: [],
      expires_at,
    })
    expect((await member.get(at(answer.data.id))).data).toEqual(answer.data)
  })
  it('403 for customers, owners too', async () => {
    expect((await acme.owner.post('/licenses', { entitlement_id: 1 })).status).toBe(403)
  })
  it('404 for an entitlement of another organization', async () => {
    const { id } = await entitlement(other)
    const answer = await acme.staff.post('/licenses', { entitlement_id: id })
    expect(answer.status).toBe(404)
    expect(answer.message).toBe((await acme.staff.post('/licenses', { entitlement_id: 999_999 })).message)
  })
  it('409 when the entitlement is not active', async () => {
    const { id } = await entitlement(acme)
    await acme.staff.post(`/entitlements/${id}/suspend`)
    expect((await acme.staff.post('/licenses', { entitlement_id: id })).status).toBe(409)
  })
  it('422 for another class, a bad limit, an end in the past or after the entitlement’s, and read-only fields', async () => {
    const { id: hosting } = await entitlement(acme, { class: 'ENV' })
    const { id } = await entitlement(acme, { expires_at: in10Days() })
    const fieldsOf = async (body: object) => {
      const answer = await acme.staff.post('/licenses', { entitlement_id: id, ...body })
      expect(answer.status).toBe(422)
      return Object.keys(answer.errors?.fields ?? {})
    }
    expect(await fieldsOf({ entitlement_id: hosting })).toEqual(['entitlement_id'])
    for (const activations_limit of [0, -1, 1.5, '5', null, 10_001])
      expect(await fieldsOf({ activations_limit })).toEqual(['activations_limit'])
    for (const expires_at of ['2020-01-01T00:00:00Z', '2999-01-01T00:00:00Z', '2999-02-30T00:00:00Z', 'soon'])
      expect(await fieldsOf({ expires_at })).toEqual(['expires_at'])
    const readOnly = { license_key: 'X', status: 'active', activated_domains: ['a.example'], staging_domains: [] }
    expect((await fieldsOf(readOnly)).toSorted()).toEqual(Object.keys(readOnly).toSorted())
    expect(await fieldsOf({ organization_id: other.id })).toEqual(['organization_id'])
  })
})

describe('POST /licenses/{id}/suspend, /resume, /revoke, /renew', () => {
  it('200 for allowed moves, with their reasons in the history, 409 for others', async () => {
    const { id } = await license(acme)
    expect((await acme.staff.post(at(id, '/suspend'), { reason: 'Chargeback' })).data.status).toBe('suspended')
    expect((await acme.staff.post(at(id, '/suspend'))).status).toBe(409)
    expect((await acme.staff.post(at(id, '/renew'))).status).toBe(409)
    expect((await acme.staff.post(at(id, '/resume'))).data.status).toBe('active')
    expect((await acme.staff.post(at(id, '/suspend'), { reason: 'Chargeback' })).status).toBe(200)
    expect((await acme.staff.post(at(id, '/revoke'), { reason: null })).data.status).toBe('revoked')
    for (const act of ['suspend', 'resume', 'revoke', 'renew'])
      expect((await acme.staff.post(at(id, `/${act}`))).status, act).toBe(409)
    const moves = (await history(id)).map((one: Record<string, unknown>) => [
      one['action'],
      one['from_status'],
      one['to_status'],
      one['note'],
    ])
    expect(moves).toEqual([
      ['created', null, 'active', null],
      ['suspended', 'active', 'suspended', 'Chargeback'],
      ['resumed', 'suspended', 'active', null],
      ['suspended', 'active', 'suspended', 'Chargeback'],
      ['revoked', 'suspended', 'revoked', null],
    ])
    const { data } = await acme.owner.get('/audit-log?resource=license&action=suspended')
    expect(data[0].reason).toBe('Chargeback')
  })
  it('403 for customers, 404 for another organization’s, 422 on an empty reason', async () => {
    const { id } = await license(acme)
    for (const act of ['suspend', 'resume', 'revoke', 'renew']) {
      expect((await acme.owner.post(at(id, `/${act}`))).status).toBe(403)
      expect((await other.staff.post(at(id, `/${act}`))).status).toBe(404)
      expect((await acme.staff.post(at(id, `/${act}`), { reason: ' ' })).status).toBe(422)
    }
  })
  it('409 for resuming while the entitlement is suspended; a license suspended separately stays suspended', async () => {
    const { id: entitlement_id } = await entitlement(acme)
    const issue = async () => (await acme.staff.post('/licenses', { entitlement_id })).data.id
    const [along, alone] = [await issue(), await issue()]
    await acme.staff.post(at(alone, '/suspend'))
    await acme.staff.post(`/entitlements/${entitlement_id}/suspend`)
    for (const id of [along, alone]) expect((await acme.staff.post(at(id, '/resume'))).status).toBe(409)
    await acme.staff.post(`/entitlements/${entitlement_id}/resume`)
    expect((await member.get(at(along))).data.status).toBe('active')
    expect((await member.get(at(alone))).data.status).toBe('suspended')
    expect((await acme.staff.post(at(alone, '/resume'))).status).toBe(200)
  })
  it('is renewed with its entitlement, unless it had ended before or was suspended separately', async () => {
    const soon = (seconds: number) => new Date(app.clock.now.getTime() + seconds * 1000).toISOString()
    const { id: entitlement_id } = await entitlement(acme, { expires_at: soon(120) })
    const issue = async (more: object = {}) => (await acme.staff.post('/licenses', { entitlement_id, ...more })).data.id
    const [along, trial, refused] = [await issue(), await issue({ expires_at: soon(60) }), await issue()]
    await acme.staff.post(at(refused, '/suspend'), { reason: 'Sold on' })
    app.clock.advance(121)
    for (const kind of ['licenses/expire', 'entitlements/expire'])
      await app.database.query('insert into jobs (kind, run_at) values ($1, $2)', [kind, app.clock.now])
    await app.service.worker.drain()
    const statuses = async () =>
      Promise.all([along, trial, refused].map(async (id) => (await member.get(at(id))).data.status))
    expect(await statuses()).toEqual(['expired', 'expired', 'expired'])
    await acme.staff.post(`/entitlements/${entitlement_id}/renew`, { expires_at: in10Days() })
    expect(await statuses()).toEqual(['active', 'expired', 'expired'])
    expect((await acme.staff.post(at(trial, '/renew'))).data.status).toBe('active')
  })
  it('200 for renewing a license that ended before its entitlement, never beyond the entitlement’s end', async () => {
    const end = new Date(app.clock.now.getTime() + 60_000).toISOString()
    const { id } = await license(acme, { expires_at: end }, { expires_at: in10Days() })
    app.clock.advance(61)
    await app.service.worker.start()
    await app.service.worker.drain()
    expect((await member.get(at(id))).data.status).toBe('expired')
    expect((await acme.staff.post(at(id, '/renew'), { expires_at: '2999-01-01T00:00:00Z' })).status).toBe(422)
    const renewed = await acme.staff.post(at(id, '/renew'), { reason: 'Paid' })
    expect(renewed.data.status).toBe('active')
    expect(new Date(renewed.data.expires_at).getTime()).toBeGreaterThan(app.clock.now.getTime())
    expect((await history(id)).map(({ action }: { action: string }) => action)).toContain('expired')
  })
})

describe('PATCH /licenses/{id}', () => {
  it('200 with the limit and its reason in the history', async () => {
    const { id } = await license(acme, { activations_limit: 1 })
    const answer = await acme.staff.patch(at(id), { activations_limit: 3, reason: 'Two more sites' })
    expect(answer.data.activations_limit).toBe(3)
    expect((await history(id)).at(-1)).toMatchObject({
      action: 'limit_changed',
      from_limit: 1,
      to_limit: 3,
      note: 'Two more sites',
      changed_by: acme.staff.userId,
      changed_by_name: 'Staff',
    })
  })
  it('409 below the number of active domains, 422 without a reason, 403 for customers, 404 for another organization’s', async () => {
    const { id } = await license(acme, { activations_limit: 2 })
    for (const domain of ['a.example', 'b.example']) await member.post(at(id, '/activate'), { domain })
    const change = { activations_limit: 1, reason: 'Less' }
    expect((await acme.staff.patch(at(id), change)).status).toBe(409)
    expect((await acme.staff.patch(at(id), { activations_limit: 3 })).errors?.fields).toHaveProperty('reason')
    expect((await acme.staff.patch(at(id), { ...change, status: 'active' })).status).toBe(422)
    expect((await acme.owner.patch(at(id), change)).status).toBe(403)
    expect((await other.staff.patch(at(id), change)).status).toBe(404)
    await acme.staff.post(at(id, '/revoke'))
    expect((await acme.staff.patch(at(id), { ...change, activations_limit: 9 })).status).toBe(409)
  })
})
