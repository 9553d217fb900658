// Values that are made on first use: once, unless making them failed.
import { expect, it } from 'vitest'
import { onFirstUse } from './on-first-use.ts'

it('is made once', () => {
  let count = 0
  const value = onFirstUse(() => (count += 1))
  expect([value(), value()]).toEqual([1, 1])
})

it('a promise that failed is made again, one that was kept is not', async () => {
  let count = 0
  const value = onFirstUse(async () => {
    count += 1
    if (count === 1) throw new Error('too many open files')
    return count
  })
  await expect(value()).rejects.toThrow('too many open files')
  expect([await value(), await value()]).toEqual([2, 2])
})
