// The contract of the provisioning port. The tests of each adapter run it against a system that they start.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provisioningRequest } from '#test/scenes/provisioning-request.ts'
import type { Provisioning } from './provisioning.ts'

export type OpenProvisioning = { provisioning: Provisioning; close: () => Promise<void> }

export function provisioningContract(name: string, open: () => Promise<OpenProvisioning>): void {
  describe(`provisioning by ${name}`, () => {
    let opened: OpenProvisioning
    beforeAll(async () => void (opened = await open()))
    afterAll(() => opened.close())

    it('answers a repeated request as it answered the first', async () => {
      const { provisioning } = opened
      const first = await provisioning.provision(provisioningRequest('environment-7-3-1'))
      expect(await provisioning.provision(provisioningRequest('environment-7-3-1'))).toEqual(first)
    })
    it('gives unsigned for a report without a valid signature', () => {
      const body = Buffer.from(JSON.stringify({ request_id: 'environment-7-3-1', status: 'done' }))
      for (const headers of [{}, { 'webhook-id': 'msg_1', 'webhook-timestamp': '0', 'webhook-signature': 'v1,AA==' }])
        expect(opened.provisioning.readReport(headers, body, new Date()).kind).toBe('unsigned')
    })
  })
}
