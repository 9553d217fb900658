// Tickets about an entitlement that is not active.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { subjects } from '#test/scenes/tickets.ts'

const scene = async (app: TestApp) => {
  const acme = await app.world.organization()
  const { hosting, environment } = await subjects(app, acme)
  const member = await acme.member({ scopes: ['tickets'] })
  const open = (by = member) => by.post('/tickets', { title: 'Help', entitlement_id: hosting })
  return { acme, hosting, environment, member, open }
}
const inAnHour = (app: TestApp) => new Date(app.clock.now.getTime() + 3_600_000).toISOString()

describe('where tickets are flagged', () => {
  let app: TestApp
  beforeAll(async () => void (app = await startApp()))
  afterAll(() => app.close())

  it('201 with why the entitlement cannot be used, which the ticket keeps', async () => {
    const { acme, hosting, open } = await scene(app)
    expect((await open()).data.entitlement_problem).toBeNull()
    await acme.staff.post(`/entitlements/${hosting}/suspend`, { reason: 'Not paid' })
    const { data } = await open()
    expect(data.entitlement_problem).toBe('suspended')
    await acme.staff.post(`/entitlements/${hosting}/resume`, {})
    expect((await acme.owner.get(`/tickets/${data.id}`)).data.entitlement_problem).toBe('suspended')
    await acme.staff.post(`/entitlements/${hosting}/cancel`, {})
    expect((await open(acme.staff)).data.entitlement_problem).toBe('cancelled')
  })
  it('by the clock: expired from the end on, also before the job has written it', async () => {
    const { hosting, open } = await scene(app)
    await app.database.query('update entitlements set expires_at = $2 where id = $1', [hosting, inAnHour(app)])
    expect((await open()).data.entitlement_problem).toBeNull()
    app.clock.advance(3600)
    expect((await open()).data.entitlement_problem).toBe('expired')
  })
})

describe('where tickets are refused', () => {
  let app: TestApp
  beforeAll(async () => void (app = await startApp({ environment: { TICKETS_WITHOUT_ENTITLEMENT: 'refuse' } })))
  afterAll(() => app.close())

  it('409 for customers, with the reason; staff open them all the same', async () => {
    const { acme, hosting, environment, member, open } = await scene(app)
    expect((await open()).status).toBe(201)
    await acme.staff.post(`/entitlements/${hosting}/suspend`, { reason: 'Not paid' })
    const refused = await open()
    expect(refused.status).toBe(409)
    expect(refused.message).toMatch(/^ENV-\d+ is suspended \(Not paid\): no ticket can be opened for it$/)
    expect((await member.post(`/environments/${environment}/tickets`, { title: 'Help' })).status).toBe(409)
    expect((await open(acme.staff)).data.entitlement_problem).toBe('suspended')
  })
  it('201 while the payment of a renewal is awaited, 409 by the clock when the grace for it is over', async () => {
    const { hosting, open } = await scene(app)
    await app.database.query(
      `update entitlements set renews = true, expires_at = $2, suspends_at = $3, suspends_reason = 'Not renewed' where id = $1`,
      [hosting, app.clock.now, inAnHour(app)],
    )
    expect((await open()).data.entitlement_problem).toBeNull()
    app.clock.advance(3600)
    expect((await open()).message).toMatch(/^ENV-\d+ is suspended \(Not renewed\): /)
  })
})
