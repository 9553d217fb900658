// What every provisioning must do for us. The tests of each adapter run it, on a system that they bring.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provisioningRequest } from '#test/scenes/provisioning-request.ts'
import type { Provisioning } from './provisioning.ts'

export type ProvisioningAtWork = { provisioning: Provisioning; close: () => Promise<void> }

export function provisioningContract(name: string, open: () => Promise<ProvisioningAtWork>): void {
  describe(`provisioning by ${name}`, () => {
    let opened: ProvisioningAtWork
    beforeAll(async () => void (opened = await open()))
    afterAll(() => opened.close())

    it('answers a request that comes again as it did the first time', async () => {
      const { provisioning } = opened
      const first = await provisioning.provision(provisioningRequest('environment-7-3-1'))
      expect(await provisioning.provision(provisioningRequest('environment-7-3-1'))).toEqual(first)
    })
    it('refuses a report that nobody has signed', () => {
      const body = Buffer.from(JSON.stringify({ request_id: 'environment-7-3-1', status: 'done' }))
      for (const headers of [{}, { 'webhook-id': 'msg_1', 'webhook-timestamp': '0', 'webhook-signature': 'v1,AA==' }])
        expect(opened.provisioning.readReport(headers, body, new Date()).kind).toBe('unsigned')
    })
  })
}
