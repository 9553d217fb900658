// Provisioning of environments: requests over real HTTP.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { LICENSE_LINE, deadLetters } from '#test/scenes/commerce.ts'
import { provisioningScene, type ProvisioningScene } from '#test/scenes/provisioning.ts'

let at: ProvisioningScene
beforeAll(async () => void (at = await provisioningScene()))
afterAll(() => at.close())
beforeEach(() => at.reset())
/** Advances the clock over the gaps between the tries. */
async function passTries(): Promise<void> {
  for (let tries = 0; tries < 12; tries++) {
    at.app.clock.advance(600)
    await at.work()
  }
}

describe('a new environment', () => {
  it('is queued at once, requested once, and active with its URL when it is done', async () => {
    const id = await at.environment()
    expect(await at.view(id)).toMatchObject({ status: 'provisioning', provisioning_state: 'queued' })
    await at.work()
    expect(await at.view(id)).toMatchObject({
      status: 'active',
      provisioning_state: 'done',
      provisioning_error: null,
      url: 'https://campus.example',
    })
    expect(at.system.requests).toHaveLength(1)
    expect(at.system.requests[0]).toMatchObject({ id: at.requestId(id), key: at.requestId(id), isSigned: true })
    expect(at.system.requests[0]?.body.data).toMatchObject({
      organization: { id: at.acme.id, name: 'Acme' },
      environment: { id },
    })
    expect(await at.steps(id)).toEqual(['provisioning', 'active'])
  })
  it('is requested for a paid quote too', async () => {
    const line = { ...LICENSE_LINE, entitlement_class: 'ENV', unit_price: '0.00' }
    const draft = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31', line_items: [line] }
    const { id } = (await at.acme.staff.post('/quotes', draft)).data
    await at.acme.staff.post(`/quotes/${id}/send`)
    expect((await at.acme.owner.post(`/quotes/${id}/accept`)).status).toBe(200)
    await at.work()
    await at.work()
    expect(at.system.requests).toHaveLength(1)
    const { data } = await at.member.get('/environments?status=active&per_page=1')
    expect(data[0]).toMatchObject({ name: LICENSE_LINE.product_name, provisioning_state: 'done' })
  })
  it('is not requested when staff create it as active', async () => {
    const id = await at.environment({ status: 'active' })
    await at.work()
    expect(await at.view(id)).toMatchObject({ provisioning_state: 'none' })
    expect(at.system.requests).toEqual([])
  })
  it('is not requested when it was activated by hand before; one that is decommissioned is only removed', async () => {
    const [byHand, gone] = [await at.environment(), await at.environment()]
    await at.acme.staff.post(`/environments/${byHand}/status`, { status: 'active' })
    await at.acme.staff.post(`/environments/${gone}/status`, { status: 'decommissioned' })
    await at.work()
    expect((await at.view(byHand)).provisioning_state).toBe('none')
    expect(at.acts(byHand)).toEqual([])
    expect(at.acts(gone)).toEqual(['decommission 2'])
    expect((await at.again(byHand)).status).toBe(409)
  })
})

describe('POST /environments/{id}/provision', () => {
  it('202 after a refusal, with a new request id', async () => {
    at.system.behave('failed')
    const id = await at.environment()
    await at.work()
    expect(await at.view(id)).toMatchObject({
      status: 'provisioning',
      provisioning_state: 'failed',
      provisioning_error: 'No room left in the region',
    })
    at.system.behave('done')
    const answer = await at.again(id)
    expect(answer.status).toBe(202)
    expect(answer.data).toMatchObject({ provisioning_state: 'queued', provisioning_error: null })
    expect((await at.again(id)).status).toBe(409)
    await at.work()
    expect((await at.view(id)).status).toBe('active')
    expect(at.system.requests.map((one) => one.id)).toEqual([at.requestId(id, 1), at.requestId(id, 2)])
    expect((await at.again(id)).status).toBe(409)
  })
  it.each(['busy', 'garbage', 'cut'] as const)(
    '202 after no valid answer (%s), with the same request id',
    async (behaviour) => {
      at.system.behave(behaviour)
      const id = await at.environment()
      await at.work()
      expect(await at.view(id)).toMatchObject({ provisioning_state: 'queued', provisioning_error: expect.any(String) })
      await passTries()
      expect(await at.view(id)).toMatchObject({ status: 'provisioning', provisioning_state: 'failed' })
      expect(at.system.requests).toHaveLength(9)
      at.system.behave('done')
      expect((await at.again(id)).status).toBe(202)
      await at.work()
      expect(await at.view(id)).toMatchObject({ status: 'active', provisioning_error: null })
      expect(new Set(at.system.requests.map((one) => one.id))).toEqual(new Set([at.requestId(id)]))
      expect(await deadLetters(at.app)).toEqual([])
    },
  )
  it('202 while a report is missing; 202 for one of many requests at once', async () => {
    at.system.behave('pending')
    const id = await at.environment()
    await at.work()
    expect((await at.view(id)).provisioning_state).toBe('requested')
    const answers = await Promise.all([at.again(id), at.again(id), at.again(id)])
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([202, 409, 409])
    await at.work()
    expect(at.system.requests.map((one) => one.id)).toEqual([at.requestId(id), at.requestId(id)])
  })
  it('403, 404; 409 while the entitlement is suspended', async () => {
    at.system.behave('failed')
    const held = await at.entitlement()
    const id = await at.environment({ entitlement_id: held })
    await at.work()
    expect((await at.acme.owner.post(`/environments/${id}/provision`)).status).toBe(403)
    expect((await at.again(999_999_999)).status).toBe(404)
    const other = await at.app.world.organization()
    expect((await other.staff.post(`/environments/${id}/provision`)).status).toBe(404)
    await at.acme.staff.post(`/entitlements/${held}/suspend`)
    expect((await at.again(id)).status).toBe(409)
  })
})
