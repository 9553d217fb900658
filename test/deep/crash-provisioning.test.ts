// kill -9 while a request to the provisioning system runs, and while its report is processed: nothing is set up twice,
// nothing is lost, and the history has one entry.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMINISTRATOR, processOf, type Running } from '#test/harness/process.ts'
import { type ProvisioningSystem, startProvisioningSystem } from '#test/stand-ins/provisioning-system.ts'
import { until } from '#test/harness/until.ts'

let system: ProvisioningSystem
let service: Running
let headers: Record<string, string>
let organizationId: number
let entitlementId: number

beforeAll(async () => {
  system = await startProvisioningSystem()
  service = await processOf({ JOBS_LEASE_SECONDS: '3', ...system.environment })
  await service.start()
  const { access_token } = await ask('POST', '/auth/login', ADMINISTRATOR)
  headers = { authorization: `Bearer ${access_token}` }
  organizationId = (await ask('POST', '/organizations', { name: 'Crash & Co' })).id
  headers = { ...headers, 'x-service-organization': String(organizationId) }
  const held = { class: 'ENV', product_name: 'Hosting', company: 'entity_br', organization_id: organizationId }
  entitlementId = (await ask('POST', '/entitlements', held)).id
})
afterAll(async () => {
  await service.remove()
  await system.close()
})

async function ask(method: string, path: string, body?: object) {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const answer = JSON.parse(await response.text())
  expect(answer, `${method} ${path}: ${JSON.stringify(answer)}`).toMatchObject({ success: true })
  return answer.data
}

const attemptsOf = (id: number): string[] =>
  system.requests
    .filter(({ id: requestId }) => requestId.startsWith(`environment-${organizationId}-${id}-`))
    .map(({ id: requestId, body }) => `${body.type} ${requestId.split('-').at(-1)}`)

const environment = async (): Promise<number> => {
  const body = { name: 'Campus', platform: 'moodle', environment_type: 'production', entitlement_id: entitlementId }
  return (await ask('POST', '/environments', body)).id
}
const isActive = async (id: number) => (await ask('GET', `/environments/${id}`)).status === 'active'

async function expectOnce(id: number): Promise<void> {
  await until(() => isActive(id), Boolean, service.output)
  const history: { to_status: string }[] = await ask('GET', `/environments/${id}/history`)
  expect(history.map(({ to_status: to }) => to)).toEqual(['provisioning', 'active'])
  const mine = [...system.installed.keys()].filter((requestId) =>
    requestId.startsWith(`environment-${organizationId}-${id}-`),
  )
  expect(mine).toEqual([`environment-${organizationId}-${id}-1`])
  expect(await ask('GET', '/admin/jobs')).toEqual([])
}

describe('kill -9 during provisioning', () => {
  it('while the system works on the request: the request is repeated with the same id', async () => {
    system.behave('hang')
    const before = system.requests.length
    const id = await environment()
    await until(() => system.requests.length > before)
    await service.kill()
    system.behave('done')
    await service.start()
    await expectOnce(id)
    expect(system.requests.length).toBeGreaterThan(before + 1)
  })
  // Each delay ends at a random point of the work; the result must always be the same.
  it.each([0, 20])('%i ms after it was queued', async (delay) => {
    system.behave('done', 5)
    const id = await environment()
    await new Promise((resolve) => setTimeout(resolve, delay))
    await service.kill()
    await service.start()
    await expectOnce(id)
  })
  it('while the system suspends it, and it is resumed meanwhile: both requests are sent in order', async () => {
    system.behave('done')
    const id = await environment()
    await expectOnce(id)
    system.behave('hang')
    await ask('POST', `/environments/${id}/status`, { status: 'suspended' })
    await until(() => attemptsOf(id).includes('environment.suspend 2'))
    await ask('POST', `/environments/${id}/status`, { status: 'active' })
    await service.kill()
    system.behave('done')
    await service.start()
    await until(
      async () => (await ask('GET', `/environments/${id}`)).provisioning_state,
      (state) => state === 'done',
      service.output,
    )
    expect(attemptsOf(id)).toEqual(['environment.provision 1', 'environment.suspend 2', 'environment.resume 3'])
    expect(await ask('GET', `/environments/${id}`)).toMatchObject({ status: 'active', provisioning_act: 'resume' })
    expect(await ask('GET', '/admin/jobs')).toEqual([])
  })
  it('right after a report was acknowledged: it takes effect once, even when it is sent again', async () => {
    system.behave('pending')
    const id = await environment()
    await until(
      async () => (await ask('GET', `/environments/${id}`)).provisioning_state,
      (state) => state === 'requested',
      service.output,
    )
    const data = { request_id: `environment-${organizationId}-${id}-1`, status: 'done' }
    const send = async () => {
      const { headers: signed, body } = system.report(data, new Date(), { id: `msg_crash_${id}` })
      const response = await fetch(`${service.url}/api/v1/webhooks/provisioning`, {
        method: 'POST',
        headers: signed,
        body,
      })
      await response.arrayBuffer()
      return response.status
    }
    expect(await send()).toBe(200)
    await service.kill()
    await service.start()
    expect(await send()).toBe(200)
    await expectOnce(id)
  })
})
