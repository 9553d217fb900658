// The contract of the provisioning port. The tests of each adapter run it against a system that they start.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { provisioningRequest } from '#test/scenes/provisioning-request.ts'
import { type Provisioning, PROVISIONING_ACTS } from './provisioning.ts'

export type OpenProvisioning = { provisioning: Provisioning; close: () => Promise<void> }

export function provisioningContract(name: string, open: () => Promise<OpenProvisioning>): void {
  describe(`provisioning by ${name}`, () => {
    let opened: OpenProvisioning
    beforeAll(async () => void (opened = await open()))
    afterAll(() => opened.close())

    it.each(PROVISIONING_ACTS)('answers a repeated request as it answered the first: %s', async (act) => {
      const { provisioning } = opened
      const first = await provisioning.request(provisioningRequest('environment-7-3-1', act))
      expect(await provisioning.request(provisioningRequest('environment-7-3-1', act))).toEqual(first)
    })
    it('gives unsigned for a report without a valid signature', () => {
      const body = Buffer.from(JSON.stringify({ request_id: 'environment-7-3-1', status: 'done' }))
      for (const headers of [{}, { 'webhook-id': 'msg_1', 'webhook-timestamp': '0', 'webhook-signature': 'v1,AA==' }])
        expect(opened.provisioning.readReport(headers, body, new Date()).kind).toBe('unsigned')
    })
  })
}
