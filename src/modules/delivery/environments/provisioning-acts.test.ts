// The provisioning system follows what becomes of an environment: suspended, resumed, changed, decommissioned. The
// environment itself never waits for it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { provisioningScene, type ProvisioningScene } from '#test/scenes/provisioning.ts'
import { until } from '#test/harness/until.ts'

let at: ProvisioningScene
beforeAll(async () => void (at = await provisioningScene()))
afterAll(() => at.close())
beforeEach(() => at.reset())

const ofEntitlement = (id: number, act: string) => at.acme.staff.post(`/entitlements/${id}/${act}`)

describe('an environment that the system has set up', () => {
  it('is suspended, resumed and decommissioned there with its entitlement, by requests of their own', async () => {
    const held = await at.entitlement()
    const id = await at.running({ entitlement_id: held })
    await ofEntitlement(held, 'suspend')
    expect(await at.view(id)).toMatchObject({
      status: 'suspended',
      provisioning_act: 'suspend',
      provisioning_state: 'queued',
    })
    await at.work()
    expect(await at.view(id)).toMatchObject({ status: 'suspended', provisioning_state: 'done' })
    await ofEntitlement(held, 'resume')
    await at.work()
    await ofEntitlement(held, 'cancel')
    await at.work()
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2', 'resume 3', 'decommission 4'])
    expect(await at.view(id)).toMatchObject({
      status: 'decommissioned',
      provisioning_act: 'decommission',
      provisioning_state: 'done',
    })
    expect(at.system.requests.every(({ isSigned, id: sent, key }) => isSigned && sent === key)).toBe(true)
    expect(await at.waiting(id)).toEqual([])
  })
  it('is suspended and resumed there by staff, and stays as it is in maintenance', async () => {
    const id = await at.running()
    for (const status of ['maintenance', 'active', 'maintenance', 'suspended', 'active']) await at.move(id, status)
    await at.work()
    expect(at.acts(id)).toEqual(['provision 1', 'resume 3'])
  })
  it('is suspended there when it arrives after its entitlement was suspended', async () => {
    const held = await at.entitlement()
    at.system.behave('pending')
    const id = await at.environment({ entitlement_id: held })
    await at.work()
    await ofEntitlement(held, 'suspend')
    at.system.behave('done')
    await at.reported(id, 1, { status: 'done' })
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2'])
    expect(await at.view(id)).toMatchObject({ status: 'suspended', provisioning_state: 'done' })
  })
  it('is followed by events, of which `provisioned` means the first act only', async () => {
    const id = await at.running()
    await at.move(id, 'suspended')
    await at.work()
    const events = await at.app.database.query<{ type: string }>(
      `select type from events where resource = 'environment' and resource_id = $1 order by id`,
      [id],
    )
    expect(events.map(({ type }) => type.replace('titular/environment/', ''))).toEqual([
      'created',
      'provisioned',
      'activated',
      'suspended',
      'provisioning_queued',
      'provisioning_confirmed',
    ])
  })
})

describe('acts in any order', () => {
  it('the last one wins: a report about an earlier one changes nothing', async () => {
    const id = await at.running()
    at.system.behave('pending')
    await at.move(id, 'suspended')
    await at.work()
    await at.move(id, 'active')
    await at.work()
    await at.reported(id, 2, { status: 'failed', error: 'Too late' })
    await at.reported(id, 2, { status: 'done', url: 'https://suspended.example' })
    expect(await at.view(id)).toMatchObject({
      status: 'active',
      provisioning_act: 'resume',
      provisioning_state: 'requested',
      provisioning_error: null,
      url: 'https://campus.example',
    })
    for (let times = 0; times < 3; times++) await at.reported(id, 3, { status: 'done' })
    await at.reported(id, 3, { status: 'failed', error: 'Told again' })
    expect(await at.view(id)).toMatchObject({ status: 'active', provisioning_state: 'done', provisioning_error: null })
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2', 'resume 3'])
  })
  it('requests about one environment reach the system one at a time, in order, while others go on', async () => {
    const [id, other] = [await at.running(), await at.running()]
    at.system.behave('hold')
    await at.move(id, 'suspended')
    const first = at.work()
    await until(() => at.acts(id).includes('suspend 2'))
    await at.move(id, 'active')
    await at.move(other, 'suspended')
    const second = at.work()
    await until(() => at.acts(other).includes('suspend 2'))
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2'])
    at.system.behave('done')
    at.system.release()
    await Promise.all([first, second])
    await at.work()
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2', 'resume 3'])
    expect(at.system.overlaps).toEqual([])
    expect(await at.view(id)).toMatchObject({ provisioning_act: 'resume', provisioning_state: 'done' })
  })
  it('a later act does not wait for the next try of an earlier one, which is not sent any more', async () => {
    const id = await at.running()
    at.system.behave('busy')
    await at.move(id, 'suspended')
    await at.work()
    expect(await at.view(id)).toMatchObject({ status: 'suspended', provisioning_error: expect.any(String) })
    at.system.behave('done')
    await at.move(id, 'active')
    await at.work()
    await at.passTries()
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2', 'resume 3'])
    expect(await at.view(id)).toMatchObject({ provisioning_state: 'done', provisioning_error: null })
  })
  it('a report that comes before the next try is waited for, as after an answer', async () => {
    const id = await at.running()
    at.system.behave('busy')
    await at.move(id, 'suspended')
    await at.work()
    await at.reported(id, 2, { status: 'pending' })
    await at.passTries()
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2'])
    expect(await at.view(id)).toMatchObject({ provisioning_state: 'requested', provisioning_error: null })
    await at.reported(id, 2, { status: 'done' })
    expect((await at.view(id)).provisioning_state).toBe('done')
  })
  it('one that is removed while it is being set up stays removed, and is removed there', async () => {
    at.system.behave('pending')
    const id = await at.environment()
    await at.work()
    await at.move(id, 'decommissioned')
    await at.reported(id, 1, { status: 'done', url: 'https://late.example' })
    await at.reported(id, 2, { status: 'done' })
    expect(at.acts(id)).toEqual(['provision 1', 'decommission 2'])
    expect(await at.view(id)).toMatchObject({ status: 'decommissioned', url: null, provisioning_state: 'done' })
    expect(await at.steps(id)).toEqual(['provisioning', 'decommissioned'])
  })
  it('two at once leave one request for what it became', async () => {
    const id = await at.running()
    const answers = await Promise.all(
      ['suspended', 'decommissioned', 'suspended'].map((status) =>
        at.acme.staff.post(`/environments/${id}/status`, { status }),
      ),
    )
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([])
    await at.work()
    const { status } = await at.view(id)
    expect(at.acts(id).at(-1)).toContain(status === 'suspended' ? 'suspend' : 'decommission')
    expect(new Set(at.acts(id)).size).toBe(at.acts(id).length)
  })
})
