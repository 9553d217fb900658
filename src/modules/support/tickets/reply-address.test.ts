// The address that a mail about a ticket is answered at: what it names, and what is no such address.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { replyAddress, replyTarget } from './reply-address.ts'

const KEY = 'kJ8s0aPq1LmZx92hQwErTyUiOpAsDfGh'
const MAILBOX = 'support@reply.vendor.example'
const target = { organizationId: 12, ticketId: 345, userId: 6789 }
const address = replyAddress(KEY, MAILBOX, target) ?? ''

describe('replyAddress', () => {
  it('names what it was made for, whatever the numbers are, also in capitals and after another plus', () => {
    const id = fc.integer({ min: 1, max: 2 ** 40 })
    fc.assert(
      fc.property(fc.record({ organizationId: id, ticketId: id, userId: id }), (of) => {
        const made = replyAddress(KEY, MAILBOX, of) ?? ''
        expect(replyTarget(KEY, [made.toUpperCase()])).toEqual(of)
        expect(made.slice(0, made.indexOf('@')).length).toBeLessThanOrEqual(64)
      }),
    )
    expect(replyTarget(KEY, [replyAddress(KEY, 'a+b@c.example', target) ?? ''])).toEqual(target)
  })
  it('is none where a mail server would refuse it for its length', () => {
    expect(replyAddress(KEY, `${'x'.repeat(40)}@c.example`, target)).toBeNull()
  })
  it('has 128 bits that depend on the key and on each number', () => {
    const token = (key: string, of: typeof target) => /-(\w{25})@/.exec(replyAddress(key, MAILBOX, of) ?? '')?.[1]
    const others = [
      token(`${KEY}x`, target),
      ...(['organizationId', 'ticketId', 'userId'] as const).map((one) => token(KEY, { ...target, [one]: 1 })),
    ]
    expect(new Set([token(KEY, target), ...others]).size).toBe(5)
  })
})

describe('replyTarget', () => {
  it('is that of the first genuine address', () => {
    expect(replyTarget(KEY, ['a@b.example', address.replace('+', '+x'), address])).toEqual(target)
  })
  it.each([
    '',
    'support@reply.vendor.example',
    address.replace('support+', 'support'),
    address.replace('-', '--'),
    address.replace(/-\w{25}@/, '@'),
    `${address.slice(0, address.indexOf('@'))}0@reply.vendor.example`,
    address.slice(0, address.indexOf('@')),
  ])('is null for %j', (other) => {
    expect(replyTarget(KEY, [other])).toBeNull()
    expect(replyTarget(`${KEY}x`, [address])).toBeNull()
  })
})
