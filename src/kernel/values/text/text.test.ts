// Cleaned text, tested against PostgreSQL.
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileText } from '#test/sweeps/hostile-strings.ts'
import { cloneDatabase, type TestDatabase } from '#test/harness/database.ts'
import { ROOT } from '#test/harness/golden.ts'
import { cut, oneLine, storable, storableJson } from './text.ts'

let database: TestDatabase
beforeAll(async () => void (database = await cloneDatabase()))
afterAll(() => database.drop())

/** Any string that JavaScript allows, unpaired surrogates included. */
const anything = fc.array(fc.oneof(hostileText(20), fc.constantFrom('\0', '\ud800', '\udfff', '\\u0000', '\\')), {
  maxLength: 8,
})

describe('storableJson', () => {
  it('is accepted by PostgreSQL and holds the same texts, except what cannot be stored', async () => {
    await fc.assert(
      fc.asyncProperty(anything, anything, async (names, texts) => {
        const [name, text] = [names.join(''), texts.join('')]
        const json = storableJson({ [name]: [text, 1, null] })
        const [row] = await database.query<{ value: object }>('select $1::jsonb as value', [json])
        expect(row?.value).toEqual({ [storable(name)]: [storable(text), 1, null] })
      }),
      { numRuns: 200 },
    )
  })
  it('leaves other escapes and whole pairs as they are', () => {
    for (const value of ['\u0001\u001f', '🚀', String.raw`\u0000`, String.raw`\\ud800`, '"\\"'])
      expect(storableJson(value)).toBe(JSON.stringify(value))
  })
})

describe('cut', () => {
  it('never leaves half of a surrogate pair, nor more than the maximum length', () => {
    expect(cut('ab🚀', 3)).toBe('ab')
    expect(cut('ab🚀', 4)).toBe('ab🚀')
    expect(cut('🚀🚀', 1)).toBe('')
    fc.assert(
      fc.property(hostileText(30), fc.nat(40), (text, most) => {
        const short = cut(text, most)
        expect(text.startsWith(short)).toBe(true)
        expect(short.isWellFormed()).toBe(true)
        expect(short.length).toBeLessThanOrEqual(most)
        expect(short.length).toBeGreaterThanOrEqual(Math.min(most, text.length) - 1)
      }),
    )
  })
})

it('oneLine keeps visible characters, in one line', () => {
  expect(oneLine(' no\0\ud800\r\n\tmoney\u2028🚀 ', 9)).toBe('no money')
  expect(oneLine('\0\ud800', 9)).toBe('')
})

describe('search_terms_of', () => {
  it('gives words or nothing for any stored text, each small enough for the index', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText(400), async (text) => {
        const terms = await database.query<{ term: string; size: number }>(
          'select term, octet_length(term) as size from search_terms_of($1) term',
          [text],
        )
        for (const { term, size } of terms) {
          expect(term).not.toBe('')
          expect(size).toBeLessThanOrEqual(256)
        }
        expect(terms.length).toBeLessThanOrEqual(20)
      }),
      { numRuns: 300 },
    )
  })
})

it('no other code makes JSON for the database', async () => {
  const unsafe: string[] = []
  for await (const file of glob('src/**/*.ts', { cwd: ROOT })) {
    if (file.endsWith('.test.ts')) continue
    const text = await readFile(join(ROOT, file), 'utf8')
    if (/\$\{JSON\.stringify\((?:[^`]|\n)*?\}::jsonb/.test(text)) unsafe.push(file)
  }
  expect(unsafe, 'storableJson keeps a write from failing for a sign in it').toEqual([])
})
