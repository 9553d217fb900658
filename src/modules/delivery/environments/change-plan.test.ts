// A change of plan: of what the entitlement of an environment gives.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { provisioningScene, type ProvisioningScene } from '#test/scenes/provisioning.ts'

let at: ProvisioningScene
beforeAll(async () => void (at = await provisioningScene()))
afterAll(() => at.close())
beforeEach(() => at.reset())

const usersOf = (value: number) => ({ features: [{ key: 'max_users', type: 'number', value }] })
const change = async (id: number, body: object) => {
  const answer = await at.acme.staff.patch(`/entitlements/${id}`, body)
  expect(answer.status, answer.raw.body).toBe(200)
}
async function running(): Promise<{ id: number; held: number }> {
  const held = await at.entitlement()
  const id = await at.environment({ entitlement_id: held })
  await at.work()
  return { id, held }
}
const lastAsked = () => at.system.requests.at(-1)?.body.data['entitlement']

describe('a change of the plan', () => {
  it('is asked for with what the entitlement gives now, once for each change of features or quantity', async () => {
    const { id, held } = await running()
    expect(lastAsked()).toMatchObject({ product_name: 'Hosting', quantity: 1, features: [] })
    await change(held, usersOf(50))
    expect(await at.view(id)).toMatchObject({
      status: 'active',
      provisioning_act: 'change',
      provisioning_state: 'queued',
    })
    await at.work()
    expect(lastAsked()).toMatchObject({ quantity: 1, ...usersOf(50) })
    await change(held, { quantity: 3 })
    await at.work()
    expect(lastAsked()).toMatchObject({ quantity: 3, ...usersOf(50) })
    await change(held, { ...usersOf(50), quantity: 3, product_description: 'The same' })
    await at.work()
    expect(at.acts(id)).toEqual(['provision 1', 'change 2', 'change 3'])
    expect((await at.view(id)).provisioning_state).toBe('done')
  })
  it('that another one follows is asked for once more; a report about the first changes nothing', async () => {
    const { id, held } = await running()
    at.system.behave('pending')
    await change(held, usersOf(10))
    await at.work()
    await change(held, usersOf(20))
    await at.work()
    await at.report(id, 2, { status: 'done' })
    await at.work()
    expect(await at.view(id)).toMatchObject({ provisioning_act: 'change', provisioning_state: 'requested' })
    await at.report(id, 3, { status: 'done' })
    await at.work()
    expect((await at.view(id)).provisioning_state).toBe('done')
    expect(at.acts(id)).toEqual(['provision 1', 'change 2', 'change 3'])
  })
  it('before the environment is set up follows when it is', async () => {
    at.system.behave('pending')
    const { id, held } = await running()
    await change(held, usersOf(5))
    await at.work()
    at.system.behave('done')
    await at.report(id, 1, { status: 'done' })
    await at.work()
    expect(at.acts(id)).toEqual(['provision 1', 'change 2'])
    expect(await at.view(id)).toMatchObject({ status: 'active', provisioning_state: 'done' })
  })
  it('while it is suspended takes no place of the suspension, and follows when it is resumed', async () => {
    const { id, held } = await running()
    at.system.behave('refuse')
    await at.acme.staff.post(`/entitlements/${held}/suspend`)
    await at.work()
    await change(held, usersOf(7))
    await at.work()
    expect(await at.waiting(id)).toEqual(['Campus: suspend'])
    at.system.behave('done')
    await at.again(id)
    await at.work()
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2', 'suspend 3'])
    await at.acme.staff.post(`/entitlements/${held}/resume`)
    await at.work()
    expect(at.acts(id).slice(3)).toEqual(['resume 4', 'change 5'])
    expect(lastAsked()).toMatchObject(usersOf(7))
  })
  it('that a suspension replaced, or that staff still have to see to, is not forgotten', async () => {
    const { id, held } = await running()
    at.system.behave('busy')
    await change(held, usersOf(8))
    await at.work()
    at.system.behave('done')
    await at.move(id, 'suspended')
    await at.move(id, 'active')
    await at.work()
    expect(at.acts(id)).toEqual(['provision 1', 'change 2', 'resume 4', 'change 5'])
    at.system.behave('absent')
    await change(held, usersOf(9))
    await at.work()
    expect(await at.waiting(id)).toEqual(['Campus: change'])
    expect((await at.acme.staff.post(`/environments/${id}/confirm`)).status).toBe(200)
    at.system.behave('done')
    await at.move(id, 'suspended')
    await at.move(id, 'active')
    await at.work()
    expect(at.acts(id).slice(4)).toEqual(['change 6', 'resume 8'])
  })
  it('of what has been decommissioned is not asked for', async () => {
    const { id, held } = await running()
    await at.move(id, 'decommissioned')
    await change(held, usersOf(3))
    await at.work()
    expect(at.acts(id)).toEqual(['provision 1', 'decommission 2'])
  })
})
