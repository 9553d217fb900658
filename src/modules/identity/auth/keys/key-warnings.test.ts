// Warnings before API keys end, of organizations and of the vendor.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { enqueueMail, mailsTo } from '#test/harness/mailbox.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

const DAY = 86_400
let app: TestApp
let acme: Organization
let boss: Speaker
beforeEach(async () => {
  app = await startApp({ environment: { EXPIRY_WARNING_DAYS: '30,7,1' } })
  acme = await app.world.organization({ name: 'Zoë “Z”' })
  boss = await app.world.user({ name: 'Boss', roles: ['customer', 'administrator'] })
})
afterEach(() => app.close())

const inDays = (days: number) => new Date(app.clock.now.getTime() + days * DAY * 1000).toISOString()
/** Runs the jobs as they run each minute. */
async function warn() {
  for (const kind of ['auth/warn-of-keys', 'vendor-keys/warn-of-ends'])
    await app.database.query(`insert into jobs (kind, run_at) values ($1, $2)`, [kind, app.clock.now])
  await app.service.worker.drain()
}
async function key(days: number, who: Speaker = acme.owner): Promise<number> {
  const answer = await who.post('/auth/api-keys', { name: 'ERP “q” \u{1F511}', expires_at: inDays(days) })
  expect(answer.status).toBe(201)
  return answer.data.id
}
// Sessions are over before a warning is due.
const warnings = async (id: number) =>
  (
    await app.database.query(
      `select 1 from events where organization_id = $1 and resource_id = $2 and type = 'titular/api_key/expiring'`,
      [acme.id, id],
    )
  ).length
const moveEnd = (table: string, id: number, days: number) =>
  app.database.query(`update ${table} set expires_at = $2 where id = $1`, [id, inDays(days)])
const subjects = async (who: Speaker) =>
  (await mailsTo(app, who.email)).flatMap(({ subject }) =>
    /ends soon|termina em breve/.test(subject) ? [subject] : [],
  )

describe('a key of an organization that ends', () => {
  it('is announced on each of the days, once, by event, mail and inbox, to those who manage keys', async () => {
    const admin = await acme.member({ role: 'admin', scopes: ['organization'] })
    const others = [
      await acme.member({ scopes: ['organization'] }),
      await acme.member({ role: 'admin', scopes: ['orders'] }),
      (await app.world.organization()).owner,
    ]
    const id = await key(40)
    const seen: number[] = []
    for (const days of [9, 1, 22, 1, 5, 1]) {
      app.clock.advance(days * DAY)
      await warn()
      await warn()
      seen.push(await warnings(id))
    }
    expect(seen).toEqual([0, 1, 1, 2, 2, 3])
    for (const who of [acme.owner, admin]) expect(await subjects(who)).toHaveLength(3)
    expect((await subjects(admin))[0]).toContain('ERP “q” \u{1F511}')
    for (const who of others) expect(await subjects(who)).toEqual([])
    app.clock.advance(DAY)
    await warn()
    expect(await warnings(id)).toBe(3)
  })
  it('is in the inbox of those who manage keys, and in the feed', async () => {
    const id = await key(1.1)
    app.clock.advance(0.2 * DAY)
    await warn()
    const { data } = await acme.owner.get('/me/inbox?kind=api-key-expiring')
    expect(data).toMatchObject([{ organization_id: acme.id, record: 'api_key', record_id: id }])
    expect(data[0].text).toContain(acme.name)
    const { events } = (await acme.owner.get('/events?type=api_key.expiring')).data
    expect(events).toMatchObject([{ resource_id: id, data: { id, name: 'ERP “q” \u{1F511}' } }])
  })
  it('has one warning for the days that were missed, a new one for another end, and none once it is revoked', async () => {
    const id = await key(40)
    app.clock.advance(36 * DAY)
    await warn()
    expect(await warnings(id)).toBe(1)
    await moveEnd('api_keys', id, 20)
    await warn()
    expect(await warnings(id)).toBe(2)
    await app.database.query('update api_keys set revoked_at = now() where id = $1', [id])
    app.clock.advance(15 * DAY)
    await warn()
    expect(await warnings(id)).toBe(2)
  })
  it('has no warning for days that it does not last, and no mail once its end has moved', async () => {
    const id = await key(5)
    await warn()
    expect(await warnings(id)).toBe(0)
    app.clock.advance(4 * DAY)
    await warn()
    expect(await subjects(acme.owner)).toHaveLength(1)
    await moveEnd('api_keys', id, 90)
    await enqueueMail(app, acme.id, { mail: 'api-key-expiring', resource_id: id, user_id: acme.owner.userId })
    expect(await subjects(acme.owner)).toHaveLength(1)
  })
})

const ofVendor = async (days: number): Promise<number> => {
  const body = { name: 'Warehouse \u{1F511}', permissions: ['orders:read'], expires_at: inDays(days) }
  const answer = await boss.post('/admin/api-keys', body)
  expect(answer.status).toBe(201)
  return answer.data.id
}

describe('a key of the vendor that ends', () => {
  it('is mailed to the administrators on each of the days, once, in their language', async () => {
    const auditor = await app.world.user({ roles: ['customer', 'auditor'] })
    await app.database.query(`update users set language = 'pt-BR' where id = $1`, [boss.userId])
    await ofVendor(10)
    app.clock.advance(3 * DAY)
    await warn()
    await warn()
    expect(await subjects(boss)).toEqual([
      expect.stringContaining('a chave de API Warehouse \u{1F511} termina em breve'),
    ])
    app.clock.advance(6 * DAY)
    await warn()
    expect(await subjects(boss)).toHaveLength(2)
    expect(await subjects(auditor)).toEqual([])
  })
  it('is not mailed to who is no administrator any more, nor about a key that was revoked or prolonged', async () => {
    const former = await app.world.user({ roles: ['customer', 'administrator'] })
    const [revoked, prolonged, warned] = [await ofVendor(8), await ofVendor(8), await ofVendor(8)]
    await app.database.query(`update vendor_keys set expiry_warned_for = expires_at, expiry_warned_days = 7`)
    for (const key_id of [revoked, prolonged, warned])
      for (const user_id of [former.userId, boss.userId])
        await app.database.query(
          `insert into jobs (kind, payload, run_at) values ('vendor-keys/mail-warning', $1, $2)`,
          [{ key_id, user_id }, app.clock.now],
        )
    await app.database.query(`update users set roles = '{customer}' where id = $1`, [former.userId])
    await boss.delete(`/admin/api-keys/${revoked}`)
    await moveEnd('vendor_keys', prolonged, 90)
    await app.service.worker.drain()
    expect([(await subjects(former)).length, (await subjects(boss)).length]).toEqual([0, 1])
  })
})
