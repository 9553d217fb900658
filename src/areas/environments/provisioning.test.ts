// The provisioning system and the environments that it sets up: asked over real HTTP, reporting by signed webhooks.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '#test/harness/app.ts'
import { LICENSE_LINE, deadLetters } from '#test/scenes/commerce.ts'
import { type ProvisioningSystem, startProvisioningSystem } from '#test/stand-ins/provisioning-system.ts'
import type { Organization, Speaker } from '#test/harness/world.ts'

let system: ProvisioningSystem
let app: TestApp
let acme: Organization
let member: Speaker
let entitlementId: number

beforeAll(async () => {
  system = await startProvisioningSystem()
  app = await startApp({ environment: system.environment })
  acme = await app.world.organization({ name: 'Acme' })
  member = await acme.member({ scopes: ['entitlements'] })
  entitlementId = await entitlement()
})
afterAll(async () => {
  await app.close()
  await system.close()
})
beforeEach(() => {
  system.behave('done')
  system.requests.length = 0
})

async function entitlement(): Promise<number> {
  const body = { class: 'ENV', product_name: 'Hosting', company: 'entity_br', organization_id: acme.id }
  return (await acme.staff.post('/entitlements', body)).data.id
}
async function environment(more: object = {}): Promise<number> {
  const body = { name: 'Campus', platform: 'moodle', environment_type: 'production', entitlement_id: entitlementId }
  const answer = await acme.staff.post('/environments', { ...body, ...more })
  expect(answer.status, answer.raw.body).toBe(201)
  return answer.data.id
}
const work = () => app.service.worker.drain()
const shown = async (id: number) => (await member.get(`/environments/${id}`)).data
const steps = async (id: number): Promise<string[]> =>
  (await member.get(`/environments/${id}/history`)).data.map(({ to_status: to }: { to_status: string }) => to)
const again = (id: number) => acme.staff.post(`/environments/${id}/provision`)
const requestId = (id: number, attempt = 1) => `environment-${acme.id}-${id}-${attempt}`

async function report(id: number, data: object, more: { id?: string; attempt?: number; at?: Date } = {}) {
  const { attempt = 1, at = app.clock.now, ...rest } = more
  const { headers, body } = system.report({ request_id: requestId(id, attempt), ...data }, at, rest)
  return app.world.anonymous.post('/webhooks/provisioning', body, headers)
}
async function requested(more: object = {}): Promise<number> {
  system.behave('pending')
  const id = await environment(more)
  await work()
  return id
}
/** Lets the gaps between the tries pass. */
async function passTries(): Promise<void> {
  for (let tries = 0; tries < 12; tries++) {
    app.clock.advance(600)
    await work()
  }
}

describe('a new environment', () => {
  it('is queued at once, asked for once, and active with its address when it is done', async () => {
    const id = await environment()
    expect(await shown(id)).toMatchObject({ status: 'provisioning', provisioning_state: 'queued' })
    await work()
    expect(await shown(id)).toMatchObject({
      status: 'active',
      provisioning_state: 'done',
      provisioning_error: null,
      url: 'https://campus.example',
    })
    expect(system.requests).toHaveLength(1)
    expect(system.requests[0]).toMatchObject({ id: requestId(id), key: requestId(id), isSigned: true })
    expect(system.requests[0]?.body.data).toMatchObject({
      organization: { id: acme.id, name: 'Acme' },
      environment: { id },
    })
    expect(await steps(id)).toEqual(['provisioning', 'active'])
  })
  it('of a paid quote is asked for too', async () => {
    const line = { ...LICENSE_LINE, entitlement_class: 'ENV', unit_price: '0.00' }
    const draft = { currency: 'BRL', company: 'entity_br', valid_until: '2099-12-31', line_items: [line] }
    const { id } = (await acme.staff.post('/quotes', draft)).data
    await acme.staff.post(`/quotes/${id}/send`)
    expect((await acme.owner.post(`/quotes/${id}/accept`)).status).toBe(200)
    await work()
    await work()
    expect(system.requests).toHaveLength(1)
    const { data } = await member.get('/environments?status=active&per_page=1')
    expect(data[0]).toMatchObject({ name: LICENSE_LINE.product_name, provisioning_state: 'done' })
  })
  it('that runs already is nobody’s work', async () => {
    const id = await environment({ status: 'active' })
    await work()
    expect(await shown(id)).toMatchObject({ provisioning_state: 'none' })
    expect(system.requests).toEqual([])
  })
  it('made active by hand before anybody was asked, or gone, is asked for no more', async () => {
    const [byHand, gone] = [await environment(), await environment()]
    await acme.staff.post(`/environments/${byHand}/status`, { status: 'active' })
    await acme.staff.post(`/environments/${gone}/status`, { status: 'decommissioned' })
    await work()
    for (const id of [byHand, gone]) expect((await shown(id)).provisioning_state).toBe('none')
    expect(system.requests).toEqual([])
    expect((await again(byHand)).status).toBe(409)
  })
})

describe('POST /environments/{id}/provision', () => {
  it('202 after a refusal, as a new request', async () => {
    system.behave('failed')
    const id = await environment()
    await work()
    expect(await shown(id)).toMatchObject({
      status: 'provisioning',
      provisioning_state: 'failed',
      provisioning_error: 'No room left in the region',
    })
    system.behave('done')
    const answer = await again(id)
    expect(answer.status).toBe(202)
    expect(answer.data).toMatchObject({ provisioning_state: 'queued', provisioning_error: null })
    expect((await again(id)).status).toBe(409)
    await work()
    expect((await shown(id)).status).toBe('active')
    expect(system.requests.map((one) => one.id)).toEqual([requestId(id, 1), requestId(id, 2)])
    expect((await again(id)).status).toBe(409)
  })
  it.each(['busy', 'garbage', 'cut'] as const)('202 after silence (%s), under the same id', async (behaviour) => {
    system.behave(behaviour)
    const id = await environment()
    await work()
    expect(await shown(id)).toMatchObject({ provisioning_state: 'queued', provisioning_error: expect.any(String) })
    await passTries()
    expect(await shown(id)).toMatchObject({ status: 'provisioning', provisioning_state: 'failed' })
    expect(system.requests).toHaveLength(9)
    system.behave('done')
    expect((await again(id)).status).toBe(202)
    await work()
    expect(await shown(id)).toMatchObject({ status: 'active', provisioning_error: null })
    expect(new Set(system.requests.map((one) => one.id))).toEqual(new Set([requestId(id)]))
    expect(await deadLetters(app)).toEqual([])
  })
  it('202 while a report does not come; one of many at once', async () => {
    system.behave('pending')
    const id = await environment()
    await work()
    expect((await shown(id)).provisioning_state).toBe('requested')
    const answers = await Promise.all([again(id), again(id), again(id)])
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([202, 409, 409])
    await work()
    expect(system.requests.map((one) => one.id)).toEqual([requestId(id), requestId(id)])
  })
  it('403, 404; 409 while the entitlement is suspended', async () => {
    system.behave('failed')
    const held = await entitlement()
    const id = await environment({ entitlement_id: held })
    await work()
    expect((await acme.owner.post(`/environments/${id}/provision`)).status).toBe(403)
    expect((await again(999_999_999)).status).toBe(404)
    const other = await app.world.organization()
    expect((await other.staff.post(`/environments/${id}/provision`)).status).toBe(404)
    await acme.staff.post(`/entitlements/${held}/suspend`)
    expect((await again(id)).status).toBe(409)
  })
})

describe('POST /webhooks/provisioning', () => {
  it('200 done: active with its address, once, however often it is told', async () => {
    const id = await requested()
    const message = { id: 'msg_same' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => report(id, { status: 'done', url: 'https://new.example' }, message)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.filter((one) => one.message === 'Report stored')).toHaveLength(1)
    await report(id, { status: 'done' })
    await work()
    expect(await shown(id)).toMatchObject({ status: 'active', url: 'https://new.example', provisioning_state: 'done' })
    expect(await steps(id)).toEqual(['provisioning', 'active'])
  })
  it('200 failed, and done after failed; failed after done changes nothing', async () => {
    const id = await requested()
    await report(id, { status: 'failed', error: 'Disk broke' })
    await work()
    expect(await shown(id)).toMatchObject({ provisioning_state: 'failed', provisioning_error: 'Disk broke' })
    await report(id, { status: 'done' })
    await work()
    await report(id, { status: 'failed', error: 'Late' })
    await report(id, { status: 'pending' })
    await work()
    expect(await shown(id)).toMatchObject({ status: 'active', provisioning_state: 'done', provisioning_error: null })
  })
  it.each(['no\0room', 'no\ud800room', '\u0001no\u2028room', `no room${'🚀'.repeat(5000)}`])(
    '200 failed with a reason that no column holds: kept as it came, shown in one clean line',
    async (error) => {
      const id = await requested()
      expect((await report(id, { status: 'failed', error })).status).toBe(200)
      await work()
      const { provisioning_state, provisioning_error } = await shown(id)
      expect({ provisioning_state, isClean: /^no room🚀*$/u.test(provisioning_error) }).toEqual({
        provisioning_state: 'failed',
        isClean: true,
      })
      const stored = `select convert_from(body, 'UTF8') as body from provider_events order by id desc limit 1`
      const [row] = await app.database.query<{ body: string }>(stored)
      expect(JSON.parse(row?.body ?? '').data.error).toBe(error)
    },
  )
  it('200 of an older request: nothing changes', async () => {
    const id = await requested()
    await report(id, { status: 'failed', error: 'No room' })
    await work()
    await again(id)
    await work()
    await report(id, { status: 'failed', error: 'Told again' }, { attempt: 1 })
    await work()
    expect(await shown(id)).toMatchObject({ provisioning_state: 'requested', provisioning_error: null })
    await report(id, { status: 'done' }, { attempt: 2 })
    await work()
    expect((await shown(id)).status).toBe('active')
  })
  it('200 before the answer to our own request has been read', async () => {
    const id = await environment()
    await report(id, { status: 'done' })
    await work()
    expect(await shown(id)).toMatchObject({ status: 'active', provisioning_state: 'done' })
    expect(await steps(id)).toEqual(['provisioning', 'active'])
  })
  it('200 after a suspension: it arrives suspended, and comes back with its entitlement', async () => {
    const held = await entitlement()
    const id = await requested({ entitlement_id: held })
    await acme.staff.post(`/entitlements/${held}/suspend`)
    await report(id, { status: 'done' })
    await work()
    expect(await steps(id)).toEqual(['provisioning', 'active', 'suspended'])
    await acme.staff.post(`/entitlements/${held}/resume`)
    expect((await shown(id)).status).toBe('active')
  })
  it('200 after the environment is gone: it stays so', async () => {
    const held = await entitlement()
    const id = await requested({ entitlement_id: held })
    await acme.staff.post(`/entitlements/${held}/cancel`)
    await report(id, { status: 'done' })
    await work()
    expect(await shown(id)).toMatchObject({ status: 'decommissioned', provisioning_state: 'done' })
  })
  it('401 unsigned, signed wrongly or long ago; 422 signed but senseless; nothing is stored', async () => {
    const id = await requested()
    const data = { request_id: requestId(id), status: 'done' }
    const { headers, body } = system.report(data, app.clock.now)
    const post = (text: string, more: object = {}) =>
      app.world.anonymous.post('/webhooks/provisioning', text, { ...headers, ...more })
    const old = new Date(app.clock.now.getTime() - 301_000)
    const count = async () => (await app.database.query('select id from provider_events')).length
    const before = await count()
    expect((await post(body.replace('done', 'failed'))).status).toBe(401)
    expect((await post(body, { 'webhook-id': 'msg_other' })).status).toBe(401)
    expect((await post(body, { 'webhook-signature': 'v1,AAAA' })).status).toBe(401)
    expect((await app.world.anonymous.post('/webhooks/provisioning', body)).status).toBe(401)
    expect((await report(id, { status: 'done' }, { at: old })).status).toBe(401)
    expect((await report(id, { status: 'perhaps' })).status).toBe(422)
    expect(await count()).toBe(before)
    await work()
    expect((await shown(id)).provisioning_state).toBe('requested')
  })
  it('200 of an unknown type: kept and ignored; of a request that nobody made: parked', async () => {
    const unknown = system.report({}, app.clock.now, { type: 'server.rebooted' })
    expect((await app.world.anonymous.post('/webhooks/provisioning', unknown.body, unknown.headers)).status).toBe(200)
    for (const request_id of ['environment-1-999999999-1', 'environment-999999999-1-1', 'somebody-elses']) {
      const { headers, body } = system.report({ request_id, status: 'done' }, app.clock.now)
      expect((await app.world.anonymous.post('/webhooks/provisioning', body, headers)).status).toBe(200)
    }
    await work()
    const parked = await deadLetters(app)
    expect(parked.map(({ kind }) => kind)).toEqual(Array.from({ length: 3 }, () => 'environments/settle-report'))
    expect(parked[0]?.last_error).toContain('no environment was ever asked for')
  })
  it('another organization in a request id finds nothing of this one', async () => {
    const id = await requested()
    const other = await app.world.organization()
    const { headers, body } = system.report(
      { request_id: `environment-${other.id}-${id}-1`, status: 'done' },
      app.clock.now,
    )
    await app.world.anonymous.post('/webhooks/provisioning', body, headers)
    await work()
    expect((await shown(id)).provisioning_state).toBe('requested')
  })
})
