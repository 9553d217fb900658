// Provisioning without a system: the port's contract, no request, and no accepted report.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { provisioningContract } from '#ports/provisioning.contract.ts'
import { provisioningRequest } from '#test/scenes/provisioning-request.ts'
import { type ProvisioningSystem, startProvisioningSystem } from '#test/stand-ins/provisioning-system.ts'
import { noProvisioning } from './no-provisioning.ts'

let system: ProvisioningSystem
beforeAll(async () => void (system = await startProvisioningSystem()))
afterAll(() => system.close())

provisioningContract('nobody', () =>
  Promise.resolve({ provisioning: noProvisioning(), close: () => Promise.resolve() }),
)

it('sends no request, and accepts no report', async () => {
  expect(await noProvisioning().request(provisioningRequest('a'))).toBeNull()
  const now = new Date()
  const { headers, body } = system.report({ request_id: 'environment-7-3-1', status: 'done' }, now)
  expect(noProvisioning().readReport(headers, Buffer.from(body), now).kind).toBe('unsigned')
})
