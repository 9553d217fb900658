// The machine of a customer who does not pay: the provisioning system is asked to suspend it when the grace is over,
// and to resume it when the invoice is paid.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Dunning, dunningAt } from '#test/scenes/dunning.ts'
import { provisioningScene, type ProvisioningScene } from '#test/scenes/provisioning.ts'

let at: ProvisioningScene
let dunning: Dunning
beforeAll(async () => {
  at = await provisioningScene()
  const admin = await at.app.world.user({ roles: ['customer', 'administrator'] })
  dunning = dunningAt(at.app, () => [at.acme.owner, at.acme.staff, at.member, admin])
})
afterAll(() => at.close())

it.each(['done', 'absent'] as const)('is suspended and resumed, whatever the system answers: %s', async (behaviour) => {
  at.reset()
  const held = await at.entitlement()
  const id = await at.environment({ entitlement_id: held })
  await at.work()
  const { code } = (await at.acme.owner.get(`/entitlements/${held}`)).data
  const line_items = [{ product_name: 'Hosting', quantity: 1, unit_price: '10.00', entitlement_code: code }]
  const invoice = await dunning.owes(at.acme, { line_items })
  at.system.behave(behaviour)
  await dunning.pass(20)
  expect(at.acts(id)).toEqual(['provision 1'])
  await dunning.pass(1)
  await dunning.drain()
  const state = behaviour === 'done' ? 'done' : 'failed'
  expect(await at.view(id)).toMatchObject({ status: 'suspended', provisioning_state: state })
  await at.acme.staff.post(`/invoices/${invoice.id}/pay`, {})
  await dunning.drain()
  expect(await at.view(id)).toMatchObject({ status: 'active', provisioning_state: state })
  expect(at.acts(id)).toEqual(['provision 1', 'suspend 2', 'resume 3'])
  expect(await at.waiting(id)).toEqual(behaviour === 'done' ? [] : ['Campus: resume'])
})
