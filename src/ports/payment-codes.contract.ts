// The part of the payments port's contract that is about Pix and boleto codes.
import { describe, expect, it } from 'vitest'
import { until } from '#test/harness/until.ts'
import { checkoutRequest } from '#test/scenes/checkout-request.ts'
import type { CodesRequest } from './payment-codes.ts'
import { PaymentRefused } from './payments.ts'
import type { PaymentProvider } from './payments.contract.ts'

export function codesContract(of: () => PaymentProvider): void {
  const paidEvent = () => {
    const { events, payments } = of()
    const read = events().map(({ headers, body }) => payments.readEvent(headers, body, new Date()))
    return read.find(({ kind }) => kind === 'paid')
  }

  describe('paymentCodes', () => {
    const payer = {
      name: 'Ação & Filhos',
      email: 'finance@example.com',
      cnpj: '11222333000181',
      address: { line: 'Rua “A”, 1', city: 'São Paulo', state: 'SP', zipcode: '01310-100' },
    }
    const codesOf = async (changes: Partial<CodesRequest> = {}) => {
      const { reference, customer, checkoutUrl } = await of().payments.openCheckout(checkoutRequest())
      const request: CodesRequest = {
        idempotencyKey: 'codes 12',
        reference,
        customer,
        methods: ['pix', 'boleto'],
        amount: '150.50',
        currency: 'BRL',
        payer,
        ...changes,
      }
      const codes = await of().payments.paymentCodes(request)
      return { request, codes, reference, checkoutUrl, paper: codes.boleto?.pdf_url ?? '' }
    }
    const moment = expect.stringMatching(/^20\d\d-.*Z$/)

    it('gives a Pix code and a boleto, once for each key', async () => {
      const { request, codes } = await codesOf()
      expect(codes).toEqual({
        pix: { copy_code: expect.stringMatching(/^000201/), expires_at: moment },
        boleto: {
          line: expect.stringMatching(/^\d{47}$/),
          barcode: expect.stringMatching(/^\d{44}$/),
          pdf_url: expect.stringMatching(/^http/),
          expires_at: moment,
        },
      })
      // The amount stands at the end of both.
      expect([codes.boleto?.line.slice(-10), codes.boleto?.barcode.slice(9, 19)]).toEqual(['0000015050', '0000015050'])
      expect(await of().payments.paymentCodes(request)).toEqual(codes)
      expect(await of().payments.paymentCodes({ ...request, idempotencyKey: 'codes 13' })).not.toEqual(codes)
    })
    it('gives those that were asked for, and no boleto without an address, e-mail or CNPJ', async () => {
      expect((await codesOf({ methods: ['boleto'] })).codes.pix).toBeNull()
      for (const [index, without] of ['address', 'email', 'cnpj'].entries()) {
        const given = { idempotencyKey: `codes ${index}`, payer: { ...payer, [without]: null } }
        expect((await codesOf(given)).codes).toMatchObject({ pix: { expires_at: moment }, boleto: null })
      }
      expect((await codesOf({ currency: 'USD' })).codes).toEqual({ pix: null, boleto: null })
    })
    it('is paid as the page is, once, and refunded', async () => {
      const { paper, checkoutUrl, reference } = await codesOf()
      expect(await of().pay(paper, 'paid')).toBe(true)
      expect(await of().payments.look('invoice', reference)).toMatchObject({
        status: 'paid',
        amount: '150.50',
        method: 'boleto',
      })
      expect(await until(async () => paidEvent(), Boolean)).toMatchObject({ reference, amount: '150.50' })
      expect(await of().pay(checkoutUrl, 'failed')).toBe(false)
      const refund = { idempotencyKey: 'refund 9', refundId: 9, reference, amount: '150.50', currency: 'BRL' }
      expect(await of().payments.refund(refund)).toMatchObject({ status: 'processing' })
    })
    it('cannot be paid once the checkout is closed, or was paid on its page', async () => {
      const { paper, reference } = await codesOf()
      await of().payments.closeCheckout(reference, 'close 12')
      expect(await of().pay(paper, 'paid')).toBe(false)
    })
    it('ends with a checkout that was paid on its page, when that is closed', async () => {
      const { paper, reference, checkoutUrl, request } = await codesOf()
      expect(await of().pay(checkoutUrl, 'paid')).toBe(true)
      await expect(of().payments.closeCheckout(reference, 'close 12')).rejects.toThrow(PaymentRefused)
      expect(await of().pay(paper, 'paid')).toBe(false)
      const late = { ...request, idempotencyKey: 'codes of a checkout that is paid' }
      expect(await of().payments.paymentCodes(late)).toEqual({ pix: null, boleto: null })
    })
  })
}
