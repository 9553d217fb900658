// Errors of a cluster, as its coordinator hands them on.
import { describe, expect, it } from 'vitest'
import { isRetryable, toAppError, uniqueViolation } from '#kernel/values/errors.ts'

const failure = (code: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { code, ...more })

describe('a transaction that failed on a node', () => {
  it.each([
    ['was there when its shard was moved away', 'cannot execute a distributed query from a query on a shard'],
    ['was planned for a shard that was split', 'could not find valid entry for shard 102008'],
  ])('is run again when it %s', (_, message) => {
    expect(isRetryable(failure('XX000', message))).toBe(true)
  })
  it('is not run again for another inner error', () => {
    expect(isRetryable(failure('XX000', 'cache lookup failed'))).toBe(false)
  })
})

describe('a node that ends while it is asked', () => {
  it.each([
    'server closed the connection unexpectedly',
    'could not receive data from server: Connection reset by peer',
  ])('is a 503: %s', (message) => expect(toAppError(failure('XX000', message), 'r').code).toBe('SERVICE_UNAVAILABLE'))
  it('is told from another inner error', () => {
    expect(toAppError(failure('XX000', 'cache lookup failed'), 'r').code).toBe('INTERNAL_ERROR')
  })
})

describe('a violated unique key on a shard', () => {
  const message = 'duplicate key value violates unique constraint "tickets_external_id_103494"'
  it.each([
    ['of another node', {}],
    ['of the coordinator', { constraint: 'tickets_external_id_103494' }],
  ])('%s has the name that the table gives it', (_, more) => {
    expect(uniqueViolation(failure('23505', message, more))).toBe('tickets_external_id')
  })
  it('keeps its name on one server', () => {
    expect(uniqueViolation(failure('23505', '', { constraint: 'quotes_version_2' }))).toBe('quotes_version_2')
  })
})
