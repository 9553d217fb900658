// Each condition of the access check that ends a credential. Each is set in the tables directly, so
// that nothing else (such as ended sessions) can cause the refusal.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { apiKey } from '#test/scenes/records.ts'
import { until } from '#test/harness/until.ts'
import type { Speaker } from '#test/harness/world.ts'
import { eventConsumers } from '#kernel/data/events.ts'
import { digest } from '#kernel/keys/secrets.ts'
import { SYSTEM_CALLER } from './transactions.ts'

const app = await appOfFile()
const acme = await app.world.organization()

const run = (text: string, ...values: unknown[]) => app.database.query(text, values)
const statusOf = async (who: Speaker, path = '/quotes') => (await who.get(path)).status

describe('a session', () => {
  it('401 once its user is disabled, 200 when they are enabled again', async () => {
    const member = await acme.member({ scopes: ['quotes'] })
    expect(await statusOf(member)).toBe(200)
    await run('update users set disabled_at = now() where id = $1', member.userId)
    expect([await statusOf(member), await statusOf(member, '/auth/me')]).toEqual([401, 401])
    await run('update users set disabled_at = null where id = $1', member.userId)
    expect(await statusOf(member)).toBe(200)
  })
  it('401 for a token of a session that a cookie holds', async () => {
    const member = await acme.member({ scopes: ['quotes'] })
    await run('update sessions set secret_digest = $1 where user_id = $2', digest('of the cookie'), member.userId)
    expect(await statusOf(member)).toBe(401)
  })
})

describe('the roles in a token', () => {
  it('decide nothing: who became an administrator since is one, and who is no longer one is none', async () => {
    const member = await acme.member({ scopes: [] })
    const reject = async () => (await member.post('/quotes/1/reject')).status
    expect([await statusOf(member), await reject()]).toEqual([403, 403])
    await run(`update users set roles = '{customer,administrator}' where id = $1`, member.userId)
    expect([await statusOf(member), await reject()]).toEqual([200, 404])
    const administrator = await app.world.user({ roles: ['customer', 'administrator'] })
    const staff = app.world.inside(administrator, acme.id)
    expect(await statusOf(staff)).toBe(200)
    await run(`update users set roles = '{customer}' where id = $1`, staff.userId)
    expect([await statusOf(staff), (await staff.post('/quotes/1/reject')).status]).toEqual([403, 403])
  })
})

describe('an API key', () => {
  const HOUR_MS = 3_600_000
  it.each([
    ['ends with its creator’s membership', 'expired_at', -HOUR_MS, 401],
    ['lives until then', 'expired_at', HOUR_MS, 200],
    ['does not begin before it', 'started_at', HOUR_MS, 401],
    ['begins with it', 'started_at', -HOUR_MS, 200],
  ])('%s', async (_what, column, afterMs, status) => {
    const org = await app.world.organization()
    const key = await apiKey(app, org, { permission: 'read', scopes: ['quotes'] })
    const at = new Date(app.clock.now.getTime() + afterMs)
    await run(`update collaborators set ${column} = $1 where organization_id = $2`, at, org.id)
    const headers = { ...key, 'x-service-organization': String(org.id) }
    expect((await app.world.anonymous.get('/quotes', headers)).status).toBe(status)
  })
})

describe('a change', () => {
  it('waits for the earlier one in the same organization, and for none of another', async () => {
    const held = Promise.withResolvers<void>()
    const isIn = Promise.withResolvers<void>()
    const origin = { caller: { ...SYSTEM_CALLER }, now: app.clock.now, requestId: 'test', ip: null }
    const { ports, store } = app.service
    const whole = { ...origin, settings: ports.settings, consumers: eventConsumers([]), store: store() }
    const order: string[] = []
    const first = app.service.transactions.inOrganization(acme.id, whole, async () => {
      isIn.resolve()
      await held.promise
      order.push('first')
    })
    await isIn.promise
    const second = app.service.transactions.inOrganization(acme.id, whole, async () => void order.push('second'))
    const other = await app.world.organization()
    await app.service.transactions.inOrganization(other.id, whole, async () => void order.push('elsewhere'))
    await until(
      () => run(`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      (rows) => rows.length === 1,
    )
    held.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['elsewhere', 'first', 'second'])
  })
})
