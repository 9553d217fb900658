// What a provisioning system reports of its requests, by signed webhooks.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deadLetters } from '#test/scenes/commerce.ts'
import { provisioningScene, type ProvisioningScene } from '#test/scenes/provisioning.ts'

let at: ProvisioningScene
beforeAll(async () => void (at = await provisioningScene()))
afterAll(() => at.close())
beforeEach(() => at.reset())

async function report(id: number, data: object, more: { id?: string; attempt?: number; sentAt?: Date } = {}) {
  const { attempt = 1, sentAt = at.app.clock.now, ...rest } = more
  const { headers, body } = at.system.report({ request_id: at.requestId(id, attempt), ...data }, sentAt, rest)
  return at.app.world.anonymous.post('/webhooks/provisioning', body, headers)
}
async function requested(more: object = {}): Promise<number> {
  at.system.behave('pending')
  const id = await at.environment(more)
  await at.work()
  return id
}

describe('POST /webhooks/provisioning', () => {
  it('200 done: active with its URL, once, however often it is reported', async () => {
    const id = await requested()
    const message = { id: 'msg_same' }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => report(id, { status: 'done', url: 'https://new.example' }, message)),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.filter((one) => one.message === 'Report stored')).toHaveLength(1)
    await report(id, { status: 'done' })
    await at.work()
    expect(await at.view(id)).toMatchObject({
      status: 'active',
      url: 'https://new.example',
      provisioning_state: 'done',
    })
    expect(await at.steps(id)).toEqual(['provisioning', 'active'])
  })
  it('200 for failed, and for done after failed; failed after done changes nothing', async () => {
    const id = await requested()
    await report(id, { status: 'failed', error: 'Disk broke' })
    await at.work()
    expect(await at.view(id)).toMatchObject({ provisioning_state: 'failed', provisioning_error: 'Disk broke' })
    await report(id, { status: 'done' })
    await at.work()
    await report(id, { status: 'failed', error: 'Late' })
    await report(id, { status: 'pending' })
    await at.work()
    expect(await at.view(id)).toMatchObject({ status: 'active', provisioning_state: 'done', provisioning_error: null })
  })
  it.each(['no\0room', 'no\ud800room', '\u0001no\u2028room', `no room${'🚀'.repeat(5000)}`])(
    '200 failed with a reason that no text column can store: the event is kept unchanged, the reason becomes one clean line',
    async (error) => {
      const id = await requested()
      expect((await report(id, { status: 'failed', error })).status).toBe(200)
      await at.work()
      const { provisioning_state, provisioning_error } = await at.view(id)
      expect({ provisioning_state, isClean: /^no room🚀*$/u.test(provisioning_error) }).toEqual({
        provisioning_state: 'failed',
        isClean: true,
      })
      const stored = `select convert_from(body, 'UTF8') as body from provider_events order by id desc limit 1`
      const [row] = await at.app.database.query<{ body: string }>(stored)
      expect(JSON.parse(row?.body ?? '').data.error).toBe(error)
    },
  )
  it('200 for an older request, without a change', async () => {
    const id = await requested()
    await report(id, { status: 'failed', error: 'No room' })
    await at.work()
    await at.again(id)
    await at.work()
    await report(id, { status: 'failed', error: 'Told again' }, { attempt: 1 })
    await at.work()
    expect(await at.view(id)).toMatchObject({ provisioning_state: 'requested', provisioning_error: null })
    await report(id, { status: 'done' }, { attempt: 2 })
    await at.work()
    expect((await at.view(id)).status).toBe('active')
  })
  it('200 before the answer to the request itself has been read', async () => {
    const id = await at.environment()
    await report(id, { status: 'done' })
    await at.work()
    expect(await at.view(id)).toMatchObject({ status: 'active', provisioning_state: 'done' })
    expect(await at.steps(id)).toEqual(['provisioning', 'active'])
  })
  it('200 after a suspension: the environment is suspended, and resumes with its entitlement', async () => {
    const held = await at.entitlement()
    const id = await requested({ entitlement_id: held })
    await at.acme.staff.post(`/entitlements/${held}/suspend`)
    await report(id, { status: 'done' })
    await at.work()
    expect(await at.steps(id)).toEqual(['provisioning', 'active', 'suspended'])
    await at.acme.staff.post(`/entitlements/${held}/resume`)
    expect((await at.view(id)).status).toBe('active')
  })
  it('200 after the environment was decommissioned, without a change', async () => {
    const held = await at.entitlement()
    const id = await requested({ entitlement_id: held })
    await at.acme.staff.post(`/entitlements/${held}/cancel`)
    await report(id, { status: 'done', url: 'https://late.example' })
    await at.work()
    expect(await at.view(id)).toMatchObject({
      status: 'decommissioned',
      url: null,
      provisioning_act: 'decommission',
      provisioning_state: 'requested',
    })
    expect(at.acts(id)).toEqual(['provision 1', 'decommission 2'])
  })
  it('401 unsigned, wrongly signed or too old; 422 signed but malformed; nothing is stored', async () => {
    const id = await requested()
    const data = { request_id: at.requestId(id), status: 'done' }
    const { headers, body } = at.system.report(data, at.app.clock.now)
    const post = (text: string, more: object = {}) =>
      at.app.world.anonymous.post('/webhooks/provisioning', text, { ...headers, ...more })
    const old = new Date(at.app.clock.now.getTime() - 301_000)
    const count = async () => (await at.app.database.query('select id from provider_events')).length
    const before = await count()
    expect((await post(body.replace('done', 'failed'))).status).toBe(401)
    expect((await post(body, { 'webhook-id': 'msg_other' })).status).toBe(401)
    expect((await post(body, { 'webhook-signature': 'v1,AAAA' })).status).toBe(401)
    expect((await at.app.world.anonymous.post('/webhooks/provisioning', body)).status).toBe(401)
    expect((await report(id, { status: 'done' }, { sentAt: old })).status).toBe(401)
    expect((await report(id, { status: 'perhaps' })).status).toBe(422)
    expect(await count()).toBe(before)
    await at.work()
    expect((await at.view(id)).provisioning_state).toBe('requested')
  })
  it('200 for an unknown type, which is stored and ignored; 200 for an unknown request, which becomes a dead letter', async () => {
    const unknown = at.system.report({}, at.app.clock.now, { type: 'server.rebooted' })
    expect((await at.app.world.anonymous.post('/webhooks/provisioning', unknown.body, unknown.headers)).status).toBe(
      200,
    )
    for (const request_id of ['environment-1-999999999-1', 'environment-999999999-1-1', 'somebody-elses']) {
      const { headers, body } = at.system.report({ request_id, status: 'done' }, at.app.clock.now)
      expect((await at.app.world.anonymous.post('/webhooks/provisioning', body, headers)).status).toBe(200)
    }
    await at.work()
    const letters = await deadLetters(at.app)
    expect(letters.map(({ kind }) => kind)).toEqual(Array.from({ length: 3 }, () => 'environments/apply-report'))
    expect(letters[0]?.last_error).toContain('no environment was ever asked for')
  })
  it('a request id with another organization does not find the environment', async () => {
    const id = await requested()
    const other = await at.app.world.organization()
    const { headers, body } = at.system.report(
      { request_id: `environment-${other.id}-${id}-1`, status: 'done' },
      at.app.clock.now,
    )
    await at.app.world.anonymous.post('/webhooks/provisioning', body, headers)
    await at.work()
    expect((await at.view(id)).provisioning_state).toBe('requested')
  })
})
