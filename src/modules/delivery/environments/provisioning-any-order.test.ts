// Random lives of an environment from fixed seeds, with a provisioning system that refuses, is away, answers late,
// twice and in any order. Once it answers again, its machine is what the environment is, with the plan of the
// entitlement.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seeds } from '#test/harness/seeds.ts'
import { type Die, dieOf } from '#test/harness/chances.ts'
import { provisioningScene, type ProvisioningScene } from '#test/scenes/provisioning.ts'

let at: ProvisioningScene
beforeAll(async () => void (at = await provisioningScene()))
afterAll(() => at.close())

const STEPS = 25
const BEHAVIOURS = ['done', 'pending', 'failed', 'absent', 'busy', 'cut'] as const
type Life = { id: number; held: number; die: Die; users: number }

async function begun(die: Die): Promise<Life> {
  const held = await at.entitlement()
  return { held, id: await at.environment({ entitlement_id: held }), die, users: 0 }
}

/** What has ended by then; people's sessions have not. */
async function workAfter(seconds: number): Promise<void> {
  at.app.clock.advance(seconds)
  await at.work()
  at.app.clock.advance(-seconds)
}

const reportOne = ({ id, die }: Life) => {
  const attempts = at.acts(id).map((act) => Number(act.split(' ')[1]))
  const status = (['done', 'done', 'failed', 'pending'] as const)[die(4)]
  return at.report(id, attempts[die(attempts.length || 1)] ?? 1, { status })
}

async function step(life: Life): Promise<void> {
  const { id, held, die } = life
  const { staff } = at.acme
  const acts = [
    () => staff.post(`/entitlements/${held}/suspend`),
    () => staff.post(`/entitlements/${held}/resume`),
    () => staff.post(`/environments/${id}/status`, { status: 'suspended' }),
    () => staff.post(`/environments/${id}/status`, { status: 'active' }),
    () => staff.patch(`/entitlements/${held}`, { features: [{ key: 'users', type: 'number', value: ++life.users }] }),
    () => at.again(id),
    () => reportOne(life),
    () => reportOne(life),
  ]
  const answer = await acts[die(acts.length)]?.()
  expect([200, 202, 409]).toContain(answer?.status)
  at.system.behave(BEHAVIOURS[die(BEHAVIOURS.length)] ?? 'done')
  if (die(3) > 0) await workAfter(die(4) * 5)
}

/** The system is back: what it has not confirmed is tried again, and requested again by staff. */
async function settle({ id, held }: Life): Promise<void> {
  at.system.behave('done')
  // A new environment is not requested while its entitlement is suspended.
  await at.acme.staff.post(`/entitlements/${held}/resume`)
  for (let times = 0; times < 4; times++) {
    await workAfter(2_000)
    if ((await at.again(id)).status === 202) await at.work()
  }
}

/** The machine by what was asked for, of which the last is done. */
function machineOf(id: number) {
  const acts = at.acts(id)
  const numbers = acts.map((act) => Number(act.split(' ')[1]))
  expect(numbers).toEqual(numbers.toSorted((one, other) => one - other))
  return acts.findLast((act) => !act.startsWith('change'))?.split(' ')[0]
}

it.each(seeds([1, 2, 3], [4, 5, 6, 7, 8, 9, 10, 11, 12]))('seed %i', async (seed) => {
  at.reset()
  const life = await begun(dieOf(seed))
  for (let times = 0; times < STEPS; times++) await step(life)
  const { id, held } = life
  await settle(life)
  expect(await at.view(id)).toMatchObject({
    status: expect.stringMatching(/active|suspended/),
    provisioning_state: 'done',
  })
  await at.acme.staff.post(`/environments/${id}/status`, { status: 'suspended' })
  await at.work()
  expect(await at.view(id)).toMatchObject({ status: 'suspended', provisioning_state: 'done' })
  expect(machineOf(id)).toBe('suspend')
  await at.acme.staff.post(`/environments/${id}/status`, { status: 'active' })
  await at.work()
  expect(await at.view(id)).toMatchObject({ status: 'active', provisioning_state: 'done' })
  expect(machineOf(id)).toBe('resume')
  const { features } = (await at.acme.owner.get(`/entitlements/${held}`)).data
  const planned = at.system.requests.findLast(({ body }) => /provision|change/.test(body.type.split('.')[1] ?? ''))
  expect(planned?.body.data['entitlement']).toMatchObject({ features })
  await at.acme.staff.post(`/entitlements/${held}/cancel`)
  await at.work()
  expect(machineOf(id)).toBe('decommission')
  expect(at.system.overlaps).toEqual([])
})
