// Staff hold the process for one organization.
import { describe, expect, it } from 'vitest'
import { appOfFile } from '#test/harness/app.ts'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'
import { entitlement } from '#test/scenes/licenses.ts'

const app = await appOfFile()
const acme = await app.world.organization()
const dunning: Dunning = dunningAt(app, () => [acme.owner, acme.staff])

const REASON = 'Payment plan agreed on'
const hold = (days: number, more: object = {}) =>
  acme.staff.put('/dunning/hold', { until: dunning.day(days), reason: REASON, ...more })
const release = () => acme.staff.delete('/dunning/hold')
const statusOf = async (id: number): Promise<string> => (await acme.owner.get(`/entitlements/${id}`)).data.status
const heldBy = async () => (await acme.owner.get(`/organizations/${acme.id}`)).data.dunning_hold

/** An entitlement with an invoice that is due in five days, so that the grace ends after twenty. */
async function unpaid(): Promise<number> {
  const { id, code } = await entitlement(acme)
  const line = { product_name: 'Backup', quantity: 1, unit_price: '10.00', entitlement_code: code }
  await dunning.owes(acme, { line_items: [line] })
  return id
}

describe('PUT and DELETE /dunning/hold', () => {
  it('nothing is suspended until the day is over; the organization shows it', async () => {
    const id = await unpaid()
    expect((await hold(30)).status).toBe(200)
    expect(await heldBy()).toEqual({ until: dunning.day(30), reason: REASON, restores: false })
    await dunning.pass(30)
    expect(await statusOf(id)).toBe('active')
    await dunning.pass(1)
    expect(await statusOf(id)).toBe('suspended')
    await release()
  })
  it('what is suspended stays so, unless staff say otherwise; it is suspended again when the hold ends', async () => {
    const id = await unpaid()
    await dunning.pass(22)
    await hold(10)
    await dunning.drain()
    expect(await statusOf(id)).toBe('suspended')
    await hold(10, { restores: true })
    await dunning.drain()
    expect(await statusOf(id)).toBe('active')
    expect((await release()).status).toBe(200)
    await dunning.drain()
    expect(await statusOf(id)).toBe('suspended')
    expect(await heldBy()).toBeNull()
  })
  it('does not hold another organization', async () => {
    const other = await app.world.organization()
    const others = dunningAt(app, () => [acme.owner, acme.staff, other.owner, other.staff])
    await others.wake()
    await hold(60)
    const { id, code } = await entitlement(other)
    const line = { product_name: 'Backup', quantity: 1, unit_price: '10.00', entitlement_code: code }
    await others.owes(other, { line_items: [line] })
    await others.pass(22)
    expect((await other.owner.get(`/entitlements/${id}`)).data.status).toBe('suspended')
    await release()
  })
  it('409 to end none, 422 without a reason or for a day that has passed, 403 for customers', async () => {
    expect((await release()).status).toBe(409)
    expect(Object.keys((await hold(5, { reason: ' ' })).errors?.fields ?? {})).toEqual(['reason'])
    expect(Object.keys((await hold(-3)).errors?.fields ?? {})).toEqual(['until'])
    expect((await acme.owner.put('/dunning/hold', { until: dunning.day(1), reason: REASON })).status).toBe(403)
    expect((await acme.owner.delete('/dunning/hold')).status).toBe(403)
  })
})
