// Lines below zero and cents of rounding: what is left is exactly what was paid.
import { describe, expect, it } from 'vitest'
import { PermanentFailure } from '#kernel/jobs/jobs.ts'
import type { PlatformOrder } from '#ports/commerce.ts'
import { soldLines } from './sold-lines.ts'

/** `[net, tax]` of each line. */
const order = (total: string, amounts: readonly (readonly [string, string])[]): PlatformOrder => ({
  reference: '1',
  number: '1',
  status: 'processing',
  currency: 'BRL',
  total,
  modifiedAt: new Date(0),
  paidAt: new Date(0),
  paymentMethod: null,
  paymentMethodTitle: null,
  billingName: null,
  billingEmail: null,
  billingCnpj: null,
  note: null,
  lines: amounts.map(([net, tax]) => ({ name: 'Line', sku: null, quantity: 1, subtotal: net, total: net, tax })),
  refunds: [],
  mark: null,
  organizationId: null,
})
const sold = (total: string, ...amounts: (readonly [string, string])[]) =>
  soldLines(order(total, amounts)).map(({ net, tax }) => [Number(net), Number(tax)])

describe('a line below zero', () => {
  it('is taken off the others in proportion, to the cent', () =>
    expect(sold('9.99', ['3.33', '0'], ['3.33', '0'], ['4.33', '0'], ['-1.00', '0'])).toEqual([
      [303, 0],
      [303, 0],
      [393, 0],
    ]))
  it('has its tax taken off their taxes', () =>
    expect(sold('99.00', ['100.00', '10.00'], ['-10.00', '-1.00'])).toEqual([[9000, 900]]))
  it('may be more than the net: the rest comes off the tax', () =>
    expect(sold('5.00', ['100.00', '10.00'], ['-105.00', '0.00'])).toEqual([[0, 500]]))
  it('may leave nothing to pay', () => expect(sold('0.00', ['100.00', '0.00'], ['-100.00', '0.00'])).toEqual([[0, 0]]))
  it('does not hide a line that is free', () =>
    expect(sold('9.00', ['0.00', '0.00'], ['10.00', '0.00'], ['-1.00', '0.00'])).toEqual([
      [0, 0],
      [900, 0],
    ]))
})

describe('a difference of rounding', () => {
  it.each([
    ['10.01', 501],
    ['9.99', 499],
    ['10.02', 502],
  ])('of as many cents as there are lines goes to the largest: %s', (total, net) =>
    expect(sold(total, ['5.00', '0.00'], ['4.00', '1.00'])).toEqual([
      [net, 0],
      [400, 100],
    ]),
  )
  it.each(['10.03', '9.97', '1.00'])('that is more is a permanent failure with both sums: %s', (total) => {
    const make = () => sold(total, ['5.00', '0.00'], ['4.00', '1.00'])
    expect(make).toThrow(PermanentFailure)
    expect(make).toThrow(`make 10.00 BRL, but its field total is ${total}`)
  })
  it('needs a line', () => expect(() => sold('0.01')).toThrow(PermanentFailure))
})
