// The contract of the commerce port. The tests of each adapter run it against a platform that they start.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { platformOrderRequest } from '#test/scenes/platform-order.ts'
import { type Commerce, CommerceRefused } from './commerce.ts'

export type OpenCommerce = { commerce: Commerce; close: () => Promise<void> }

export function commerceContract(name: string, open: () => Promise<OpenCommerce>): void {
  describe(`orders at ${name}`, () => {
    let opened: OpenCommerce
    beforeAll(async () => void (opened = await open()))
    afterAll(() => opened.close())

    it('makes one copy of an order, however often it is put', async () => {
      const { commerce } = opened
      const first = await commerce.putOrder(platformOrderRequest(1))
      expect(first).toMatchObject({
        total: '149.80',
        currency: 'BRL',
        status: 'pending',
        mark: { organizationId: 7, orderId: 1 },
      })
      expect(await commerce.putOrder(platformOrderRequest(1))).toEqual(first)
      expect((await commerce.putOrder(platformOrderRequest(2))).reference).not.toBe(first.reference)
      expect(await commerce.look(first.reference)).toEqual(first)
    })
    it('takes each status that orders have', async () => {
      const { commerce } = opened
      const { reference } = await commerce.putOrder(platformOrderRequest(3))
      for (const status of ['on-hold', 'processing', 'completed', 'failed', 'cancelled', 'pending'])
        expect(await commerce.setStatus(reference, status)).toMatchObject({ status })
    })
    it('records a refund once, and refuses more than is left', async () => {
      const { commerce } = opened
      const { reference } = await commerce.putOrder(platformOrderRequest(4))
      const refund = { refundId: 17, amount: '40.00', reason: 'One license less' }
      await commerce.recordRefund(reference, refund)
      const after = await commerce.recordRefund(reference, refund)
      expect(after.refunds).toMatchObject([{ amount: '40.00', refundId: 17 }])
      const tooMuch = commerce.recordRefund(reference, { refundId: 18, amount: '109.81', reason: null })
      await expect(tooMuch).rejects.toThrow(CommerceRefused)
      expect(await commerce.recordRefund(reference, { refundId: 19, amount: '109.80', reason: null })).toMatchObject({
        status: 'refunded',
      })
    })
    it('knows no order that is not there, and refuses to change it', async () => {
      const { commerce } = opened
      expect(await commerce.look('99999999')).toBeNull()
      await expect(commerce.setStatus('99999999', 'completed')).rejects.toThrow(CommerceRefused)
    })
    it('lists what has changed, the latest first', async () => {
      const { commerce } = opened
      const { reference } = await commerce.putOrder(platformOrderRequest(5))
      const changed = await commerce.changedSince(new Date('2000-01-01'))
      expect(changed.map((one) => one.reference)).toContain(reference)
      expect(await commerce.changedSince(new Date('2999-01-01'))).toEqual([])
    })
    it('gives unsigned for an event without a valid signature', () => {
      const body = Buffer.from('{"id":1}')
      for (const headers of [{}, { 'x-wc-webhook-topic': 'order.updated', 'x-wc-webhook-signature': 'AAAA' }])
        expect(opened.commerce.readEvent(headers, body).kind).toBe('unsigned')
    })
  })
}
