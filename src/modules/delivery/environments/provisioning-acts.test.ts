// The provisioning system follows what becomes of an environment: suspended, resumed, changed, decommissioned. The
// environment itself never waits for it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { provisioningScene, type ProvisioningScene } from '#test/scenes/provisioning.ts'
import { until } from '#test/harness/until.ts'

let at: ProvisioningScene
beforeAll(async () => void (at = await provisioningScene()))
afterAll(() => at.close())
beforeEach(() => at.reset())

const running = async (more: object = {}): Promise<number> => {
  at.system.behave('done')
  const id = await at.environment(more)
  await at.work()
  return id
}
const ofEntitlement = (id: number, act: string) => at.acme.staff.post(`/entitlements/${id}/${act}`)
const report = async (id: number, attempt: number, data: object) => {
  expect((await at.report(id, attempt, data)).status).toBe(200)
  await at.work()
}
const confirm = (id: number) => at.acme.staff.post(`/environments/${id}/confirm`)
async function passTries(): Promise<void> {
  for (let tries = 0; tries < 12; tries++) {
    at.app.clock.advance(600)
    await at.work()
  }
}
/** What is due then; people's sessions would have ended. */
async function workAfter(seconds: number): Promise<void> {
  at.app.clock.advance(seconds)
  await at.work()
  at.app.clock.advance(-seconds)
}

describe('an environment that the system has set up', () => {
  it('is suspended, resumed and decommissioned there with its entitlement, by requests of their own', async () => {
    const held = await at.entitlement()
    const id = await running({ entitlement_id: held })
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
    const id = await running()
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
    await report(id, 1, { status: 'done' })
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2'])
    expect(await at.view(id)).toMatchObject({ status: 'suspended', provisioning_state: 'done' })
  })
  it('is followed by events, of which `provisioned` means the first act only', async () => {
    const id = await running()
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
    const id = await running()
    at.system.behave('pending')
    await at.move(id, 'suspended')
    await at.work()
    await at.move(id, 'active')
    await at.work()
    await report(id, 2, { status: 'failed', error: 'Too late' })
    await report(id, 2, { status: 'done', url: 'https://suspended.example' })
    expect(await at.view(id)).toMatchObject({
      status: 'active',
      provisioning_act: 'resume',
      provisioning_state: 'requested',
      provisioning_error: null,
      url: 'https://campus.example',
    })
    for (let times = 0; times < 3; times++) await report(id, 3, { status: 'done' })
    await report(id, 3, { status: 'failed', error: 'Told again' })
    expect(await at.view(id)).toMatchObject({ status: 'active', provisioning_state: 'done', provisioning_error: null })
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2', 'resume 3'])
  })
  it('requests about one environment reach the system one at a time, in order, while others go on', async () => {
    const [id, other] = [await running(), await running()]
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
    const id = await running()
    at.system.behave('busy')
    await at.move(id, 'suspended')
    await at.work()
    expect(await at.view(id)).toMatchObject({ status: 'suspended', provisioning_error: expect.any(String) })
    at.system.behave('done')
    await at.move(id, 'active')
    await at.work()
    await passTries()
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2', 'resume 3'])
    expect(await at.view(id)).toMatchObject({ provisioning_state: 'done', provisioning_error: null })
  })
  it('a report that comes before the next try is waited for, as after an answer', async () => {
    const id = await running()
    at.system.behave('busy')
    await at.move(id, 'suspended')
    await at.work()
    await report(id, 2, { status: 'pending' })
    await passTries()
    expect(at.acts(id)).toEqual(['provision 1', 'suspend 2'])
    expect(await at.view(id)).toMatchObject({ provisioning_state: 'requested', provisioning_error: null })
    await report(id, 2, { status: 'done' })
    expect((await at.view(id)).provisioning_state).toBe('done')
  })
  it('one that is removed while it is being set up stays removed, and is removed there', async () => {
    at.system.behave('pending')
    const id = await at.environment()
    await at.work()
    await at.move(id, 'decommissioned')
    await report(id, 1, { status: 'done', url: 'https://late.example' })
    await report(id, 2, { status: 'done' })
    expect(at.acts(id)).toEqual(['provision 1', 'decommission 2'])
    expect(await at.view(id)).toMatchObject({ status: 'decommissioned', url: null, provisioning_state: 'done' })
    expect(await at.steps(id)).toEqual(['provisioning', 'decommissioned'])
  })
  it('two at once leave one request for what it became', async () => {
    const id = await running()
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

describe('what the system does not confirm', () => {
  it.each(['refuse', 'absent', 'unsupported'] as const)(
    'waits for staff after one request, who request it anew: %s',
    async (behaviour) => {
      const id = await running()
      at.system.behave(behaviour)
      await at.move(id, 'suspended')
      await at.work()
      await passTries()
      expect(at.acts(id)).toEqual(['provision 1', 'suspend 2'])
      expect(await at.view(id)).toMatchObject({ status: 'suspended', provisioning_state: 'failed' })
      expect(await at.waiting(id)).toEqual(['Campus: suspend'])
      at.system.behave('done')
      expect((await at.again(id)).status).toBe(202)
      expect(await at.waiting(id)).toEqual([])
      await at.work()
      expect(at.acts(id)).toEqual(['provision 1', 'suspend 2', 'suspend 3'])
      expect(await at.view(id)).toMatchObject({ provisioning_state: 'done', provisioning_error: null })
      expect((await at.again(id)).status).toBe(409)
    },
  )
  it('waits for staff after nine tries without an answer; the same request is sent again', async () => {
    const id = await running()
    at.system.behave('busy')
    await at.move(id, 'decommissioned')
    await passTries()
    expect(at.acts(id)).toEqual(['provision 1', ...Array.from({ length: 9 }, () => 'decommission 2')])
    expect(await at.waiting(id)).toEqual(['Campus: decommission'])
    at.system.behave('done')
    await at.again(id)
    await at.work()
    expect(at.acts(id).at(-1)).toBe('decommission 2')
    expect(await at.waiting(id)).toEqual([])
    expect(await deadLetters(at.app)).toEqual([])
  })
  it('waits for staff when no report comes within a day; a later one still counts', async () => {
    const id = await running()
    at.system.behave('pending')
    await at.move(id, 'suspended')
    await at.work()
    await workAfter(23 * 3600)
    expect(await at.waiting(id)).toEqual([])
    await workAfter(24 * 3600 + 1)
    expect(await at.waiting(id)).toEqual(['Campus: suspend'])
    expect((await at.view(id)).provisioning_error).toContain('not reported within a day')
    await report(id, 2, { status: 'done' })
    expect(await at.waiting(id)).toEqual([])
  })
  it('gives the whole day again when staff request it again, whatever came of the first day', async () => {
    const id = await running()
    at.system.behave('pending')
    await at.move(id, 'suspended')
    await at.work()
    at.app.clock.advance(600)
    expect((await at.again(id)).status).toBe(202)
    await at.work()
    await workAfter(24 * 3600 - 599)
    expect((await at.view(id)).provisioning_state).toBe('requested')
    await workAfter(24 * 3600 + 1)
    expect(await at.waiting(id)).toEqual(['Campus: suspend'])
  })
  it('waits for staff when a new environment was not set up, until they activate it', async () => {
    at.system.behave('failed')
    const id = await at.environment({ name: 'Ação "🚀"' })
    await at.work()
    expect(await at.waiting(id)).toEqual(['Ação "🚀": provision'])
    expect((await confirm(id)).status).toBe(409)
    await at.move(id, 'active')
    expect(await at.waiting(id)).toEqual([])
  })
})

describe('POST /environments/{id}/confirm', () => {
  it('200 for what staff did by hand; 409 when nothing waits; a late report changes nothing', async () => {
    const id = await running()
    expect((await confirm(id)).status).toBe(409)
    at.system.behave('absent')
    await at.move(id, 'suspended')
    await at.work()
    const answer = await confirm(id)
    expect([answer.status, answer.data.provisioning_state, answer.data.provisioning_error]).toEqual([200, 'done', null])
    expect(await at.waiting(id)).toEqual([])
    await report(id, 2, { status: 'failed', error: 'Late' })
    expect(await at.view(id)).toMatchObject({ provisioning_state: 'done', provisioning_error: null })
    expect((await confirm(id)).status).toBe(409)
  })
  it('200 for one of two at once', async () => {
    const id = await running()
    at.system.behave('pending')
    await at.move(id, 'suspended')
    await at.work()
    const answers = await Promise.all([confirm(id), confirm(id)])
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 409])
  })
  it('403 for customers, 404 for those of others', async () => {
    const id = await running()
    expect((await at.acme.owner.post(`/environments/${id}/confirm`)).status).toBe(403)
    const other = await at.app.world.organization()
    expect((await other.staff.post(`/environments/${id}/confirm`)).status).toBe(404)
  })
})
