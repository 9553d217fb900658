// The contract of the files port. The tests of each adapter run it against a store that they start.
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { piecesOf } from '#test/scenes/file-contents.ts'
import { type Files, FilesUnavailable } from './files.ts'

export const newFileKey = (): string => `42/${randomBytes(16).toString('hex')}`

/** `files` is called in each test, because the store exists only after `beforeAll`. */
export function filesContract(name: string, files: () => Files): void {
  describe(`files in ${name}`, () => {
    it('are read as they were written, of any size', async () => {
      const big = randomBytes(3_000_000)
      for (const content of [[], ['a', 'b'], [big.subarray(0, 70_000), big.subarray(70_000)]]) {
        const key = newFileKey()
        await files().put(key, piecesOf(...content))
        const found = await files().get(key)
        const whole = Buffer.concat(content.map((piece) => Buffer.from(piece)))
        expect(found?.size).toBe(whole.length)
        expect((await buffer(found?.content ?? piecesOf())).equals(whole)).toBe(true)
      }
    })
    it('are read in ranges, and not beyond their end', async () => {
      const key = newFileKey()
      await files().put(key, piecesOf('0123456789'))
      for (const [start, end] of [
        [0, 0],
        [3, 6],
        [9, 9],
        [0, 9],
      ] as const) {
        const found = await files().get(key, { start, end })
        expect(found?.size).toBe(end - start + 1)
        expect((await buffer(found?.content ?? piecesOf())).toString()).toBe('0123456789'.slice(start, end + 1))
      }
      for (const range of [
        { start: 5, end: 10 },
        { start: 10, end: 12 },
      ])
        await expect(files().get(key, range)).rejects.toThrow(FilesUnavailable)
      expect(await files().get(newFileKey(), { start: 0, end: 1 })).toBeNull()
    })
    it('are null under an unused key, whose removal succeeds', async () => {
      expect(await files().get(newFileKey())).toBeNull()
      await files().remove(newFileKey())
    })
    it('are null after their removal', async () => {
      const key = newFileKey()
      await files().put(key, piecesOf('gone'))
      await files().remove(key)
      expect(await files().get(key)).toBeNull()
    })
    it('are not stored when their content ends with an error, which is thrown', async () => {
      const key = newFileKey()
      const broken = new Error('the client went away')
      await expect(files().put(key, piecesOf('half', broken))).rejects.toBe(broken)
      expect(await files().get(key)).toBeNull()
    })
    it.each(['', '../secret', '42/../../etc/passwd', '42/short', `0/${'a'.repeat(32)}`, `42/${'A'.repeat(32)}`])(
      'throw TypeError for the key %j',
      async (key) => {
        const attempts = [
          async () => files().put(key, piecesOf('x')),
          async () => files().get(key),
          async () => files().remove(key),
        ]
        for (const attempt of attempts) await expect(attempt()).rejects.toThrow(TypeError)
      },
    )
  })
}
