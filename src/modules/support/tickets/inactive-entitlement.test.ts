// Tickets about an entitlement that is not active.
import { beforeAll, describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { setSettings } from '#test/scenes/settings.ts'
import { subjects } from '#test/scenes/tickets.ts'

const app = await appOfFile()

const scene = async () => {
  const acme = await app.world.organization()
  const { hosting, environment } = await subjects(app, acme)
  const member = await acme.member({ scopes: ['tickets'] })
  const open = (by = member) => by.post('/tickets', { title: 'Help', entitlement_id: hosting })
  return { acme, hosting, environment, member, open }
}
const inAnHour = () => new Date(app.clock.now.getTime() + 3_600_000).toISOString()

describe('where tickets are flagged', () => {
  it('201 with why the entitlement cannot be used, which the ticket keeps', async () => {
    const { acme, hosting, open } = await scene()
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
    const { hosting, open } = await scene()
    await app.database.query('update entitlements set expires_at = $2 where id = $1', [hosting, inAnHour()])
    expect((await open()).data.entitlement_problem).toBeNull()
    app.clock.advance(3600)
    expect((await open()).data.entitlement_problem).toBe('expired')
  })
})

describe('where tickets are refused', () => {
  beforeAll(() => setSettings(app, 'vendor', { tickets_without_entitlement: 'refuse' }))

  it('409 for customers, with the reason; staff open them all the same', async () => {
    const { acme, hosting, environment, member, open } = await scene()
    expect((await open()).status).toBe(201)
    await acme.staff.post(`/entitlements/${hosting}/suspend`, { reason: 'Not paid' })
    const refused = await open()
    expect(refused.status).toBe(409)
    expect(refused.message).toMatch(/^ENV-\d+ is suspended \(Not paid\): no ticket can be opened for it$/)
    expect((await member.post(`/environments/${environment}/tickets`, { title: 'Help' })).status).toBe(409)
    expect((await open(acme.staff)).data.entitlement_problem).toBe('suspended')
  })
  it('409 by the clock when it has ended, without the reason of the status before', async () => {
    const { acme, hosting, open } = await scene()
    await acme.staff.post(`/entitlements/${hosting}/suspend`, { reason: 'Not paid' })
    await acme.staff.post(`/entitlements/${hosting}/resume`, { reason: 'Paid after all' })
    await acme.staff.patch(`/entitlements/${hosting}`, { expires_at: inAnHour() })
    app.clock.advance(3600)
    expect((await open()).message).toMatch(/^ENV-\d+ is expired: /)
    const { reason, status_reason_code, status_reason } = (await acme.owner.get('/entitlements/check?class=ENV')).data
    expect([reason, status_reason_code, status_reason]).toEqual(['expired', 'expired', null])
  })
  it('201 while the payment of a renewal is awaited, 409 by the clock when the grace for it is over', async () => {
    const { hosting, open } = await scene()
    await app.database.query(
      `update entitlements set renews = true, expires_at = $2, suspends_at = $3, suspends_reason = 'Not renewed' where id = $1`,
      [hosting, app.clock.now, inAnHour()],
    )
    expect((await open()).data.entitlement_problem).toBeNull()
    app.clock.advance(3600)
    expect((await open()).message).toMatch(/^ENV-\d+ is suspended \(Not renewed\): /)
  })
})
