// Provisioning over real HTTP, with a stand-in that can refuse, hang, cut off and answer late.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROVISIONING_ACTS, ProvisioningUnavailable } from '#ports/provisioning.ts'
import { provisioningContract } from '#ports/provisioning.contract.ts'
import { provisioningRequest as request } from '#test/scenes/provisioning-request.ts'
import {
  type ProvisioningSystem,
  SECRET,
  startProvisioningSystem,
  WEBHOOK_SECRET,
} from '#test/stand-ins/provisioning-system.ts'
import { httpProvisioning } from './http-provisioning.ts'

let system: ProvisioningSystem
let adapter: ReturnType<typeof httpProvisioning>
const now = new Date('2026-11-20T12:00:00.000Z')

beforeAll(async () => {
  system = await startProvisioningSystem()
  adapter = httpProvisioning({ url: system.url, secret: SECRET, webhookSecrets: [WEBHOOK_SECRET] })
})
afterAll(async () => {
  await adapter.close()
  await system.close()
})

provisioningContract('HTTP', async () => {
  const other = await startProvisioningSystem()
  const provisioning = httpProvisioning({ url: other.url, secret: SECRET, webhookSecrets: [WEBHOOK_SECRET] })
  const close = async () => {
    await provisioning.close()
    await other.close()
  }
  return { provisioning, close }
})

describe('request', () => {
  it('sends a signature, an id and an idempotency key, and reads the answer', async () => {
    system.behave('done')
    expect(await adapter.request(request('environment-7-3-1'))).toEqual({
      status: 'done',
      url: 'https://campus.example',
    })
    const asked = system.requests.at(-1)
    expect(asked).toMatchObject({ id: 'environment-7-3-1', key: 'environment-7-3-1', isSigned: true })
    expect(asked?.body).toEqual({
      type: 'environment.provision',
      timestamp: now.toISOString(),
      data: {
        request_id: 'environment-7-3-1',
        organization: { id: 7, name: 'São João “Ltda”' },
        environment: request('').environment,
        entitlement: request('').entitlement,
      },
    })
  })
  it.each(PROVISIONING_ACTS)('names the act: %s', async (act) => {
    system.behave('done')
    expect(await adapter.request(request('environment-7-3-2', act))).toMatchObject({ status: 'done' })
    expect(system.requests.at(-1)?.body.type).toBe(`environment.${act}`)
  })
  it('gives pending, and failed with the reason in one line without control characters', async () => {
    system.behave('pending')
    expect(await adapter.request(request('a'))).toEqual({ status: 'pending' })
    system.behave('failed')
    expect(await adapter.request(request('a'))).toEqual({ status: 'failed', error: 'No room left in the region' })
  })
  it.each(['refuse', 'absent', 'unsupported', 'redirect'] as const)('gives failed: %s', async (behaviour) => {
    system.behave(behaviour)
    const before = system.requests.length
    expect(await adapter.request(request('a'))).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/refused/),
    })
    expect(system.requests).toHaveLength(before + 1)
  })
  it.each(['busy', 'garbage', 'huge', 'cut'] as const)('throws ProvisioningUnavailable: %s', async (behaviour) => {
    system.behave(behaviour)
    await expect(adapter.request(request('a'))).rejects.toThrow(ProvisioningUnavailable)
  })
  it('throws ProvisioningUnavailable when no answer comes in time, or the port is closed', async () => {
    system.behave('hang')
    const impatient = httpProvisioning({ url: system.url, secret: SECRET, webhookSecrets: [], timeoutMs: 300 })
    await expect(impatient.request(request('late'))).rejects.toThrow(ProvisioningUnavailable)
    await impatient.close()
    const gone = await startProvisioningSystem()
    await gone.close()
    const other = httpProvisioning({ url: gone.url, secret: SECRET, webhookSecrets: [] })
    const failure = await other.request(request('a')).catch((error: Error) => error)
    expect(failure).toBeInstanceOf(ProvisioningUnavailable)
    expect(failure).toHaveProperty('message', 'The provisioning system did not answer')
  })
})

function read(data: object, more: object = {}, at = now) {
  const { headers, body } = system.report(data, at, more)
  return adapter.readReport(headers, Buffer.from(body), now)
}

describe('readReport', () => {
  it('reads a signed report', () => {
    expect(read({ request_id: 'environment-7-3-1', status: 'done' }, { id: 'msg_1' })).toEqual({
      kind: 'report',
      dedupeKey: 'msg_1',
      providerType: 'environment.provisioning',
      requestId: 'environment-7-3-1',
      answer: { status: 'done', url: null },
    })
    expect(read({}, { type: 'something.else' })).toMatchObject({ kind: 'ignored', providerType: 'something.else' })
  })
  it('gives unsigned for a wrong secret or an old signature, unreadable for an unknown shape', () => {
    const right = { request_id: 'environment-7-3-1', status: 'done' }
    expect(read(right, { secret: SECRET }).kind).toBe('unsigned')
    expect(read(right, {}, new Date(now.getTime() - 301_000)).kind).toBe('unsigned')
    expect(adapter.readReport({}, Buffer.from('{}'), now).kind).toBe('unsigned')
    for (const wrong of [
      {},
      { ...right, status: 'maybe' },
      { ...right, url: 'javascript:1' },
      { ...right, request_id: 'a b' },
    ])
      expect(read(wrong)).toEqual({ kind: 'unreadable', reason: expect.stringMatching(/^must (be|have)/) })
  })
})
