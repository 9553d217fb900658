// What happens to a license later: a new key, its history, another end of its entitlement.
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

describe('POST /licenses/{id}/rotate-key', () => {
  it('200 with a new key and the same domains; neither key is in the audit log', async () => {
    const { id, license_key: old } = await license(acme)
    await member.post(at(id, '/activate'), { domain: 'a.example' })
    const answer = await member.post(at(id, '/rotate-key'), { reason: 'Leaked' })
    const { license_key: key } = answer.data
    expect(key).not.toBe(old)
    expect(answer.data.activated_domains).toEqual(['a.example'])
    expect((await history(id)).at(-1)).toMatchObject({
      action: 'key_rotated',
      note: 'Leaked',
      key_last_four: key.slice(-4),
    })
    const [audit] = await app.database.query<{ text: string }>(
      `select (select jsonb_agg(to_jsonb(a))::text from audit_log a) || (select jsonb_agg(to_jsonb(e))::text from events e) as text`,
    )
    for (const secret of [old, key]) expect(audit?.text).not.toContain(secret)
  })
  it('200 twice with the same Idempotency-Key rotates once', async () => {
    const { id } = await license(acme)
    const rotate = () => member.post(at(id, '/rotate-key'), {}, { 'idempotency-key': `rotate-${id}` })
    const [one, two] = [await rotate(), await rotate()]
    expect(two.data.license_key).toBe(one.data.license_key)
  })
  it('409 for a revoked license, 403 without the scope, 404 for another organization’s', async () => {
    const { id } = await license(acme)
    const viewer = await acme.member({ scopes: ['entitlements'] })
    expect((await viewer.post(at(id, '/rotate-key'))).status).toBe(403)
    expect((await other.owner.post(at(id, '/rotate-key'))).status).toBe(404)
    await acme.staff.post(at(id, '/revoke'))
    expect((await member.post(at(id, '/rotate-key'))).status).toBe(409)
  })
})

describe('GET /licenses/{id}/history', () => {
  it('200 with each activated and deactivated domain, oldest first, in pages', async () => {
    const { id } = await license(acme)
    for (const [act, domain] of [
      ['activate', 'a.example'],
      ['activate', 'localhost'],
      ['activate', 'b.example'],
      ['deactivate', 'a.example'],
      ['deactivate', 'localhost'],
    ])
      expect((await member.post(at(id, `/${act}`), { domain })).status).toBe(200)
    const actions = (await history(id)).map(({ action, domain }: Record<string, string>) => `${action} ${domain}`)
    expect(actions).toEqual([
      'created null',
      'activated a.example',
      'activated localhost',
      'activated b.example',
      'deactivated a.example',
      'deactivated localhost',
    ])
    const page = await member.get(at(id, '/history?per_page=2&page=2'))
    expect(page.meta).toEqual({ page: 2, per_page: 2, total: 6, pages: 3 })
    expect((await other.owner.get(at(id, '/history'))).status).toBe(404)
    expect((await member.get(at(id, '/history?action=x'))).status).toBe(422)
  })
})

describe('PATCH /entitlements/{id}', () => {
  it('200 and licenses that end with the entitlement get its new end; those that end before keep theirs, none outlives it', async () => {
    const end = in10Days()
    const sooner = new Date(Date.parse(end) - 5 * 86_400_000).toISOString()
    const { id: entitlement_id } = await entitlement(acme, { expires_at: end })
    const issue = async (more: object = {}) => (await acme.staff.post('/licenses', { entitlement_id, ...more })).data.id
    const [along, before] = [await issue(), await issue({ expires_at: sooner })]
    const ends = async () => [
      (await member.get(at(along))).data.expires_at,
      (await member.get(at(before))).data.expires_at,
    ]
    const later = new Date(Date.parse(end) + 86_400_000).toISOString()
    for (const [expires_at, expected] of [
      [later, [later, sooner]],
      [null, [null, sooner]],
      [app.clock.now.toISOString(), [app.clock.now.toISOString(), app.clock.now.toISOString()]],
    ] as const) {
      await acme.staff.patch(`/entitlements/${entitlement_id}`, { expires_at })
      expect(await ends()).toEqual(expected)
    }
  })
})
