import semver from 'semver'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { Version, versionKey } from './version.ts'

const byKey = (one: string, other: string): number => Buffer.compare(keyOf(one), keyOf(other))
const keyOf = (version: string): Buffer => Buffer.from(versionKey(version))

/** The specification's own example, then what is easily ordered wrongly. */
const ORDERED = [
  '0.0.0',
  '0.9.10',
  '0.10.0',
  '1.0.0-0',
  '1.0.0-2',
  '1.0.0-10',
  '1.0.0---',
  '1.0.0-0a',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.1.0',
  '1.0.0-alpha.beta',
  '1.0.0-alpha-a',
  '1.0.0-beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.0.1-rc.1',
  '1.0.1',
  '1.9.0',
  '1.10.0-a.b-c.d',
  '1.10.0',
  '10.0.0',
]

describe('versions', () => {
  it('are ordered by their keys as the specification says', () => {
    expect(ORDERED.toReversed().toSorted(byKey)).toEqual(ORDERED)
    for (const one of ORDERED)
      for (const other of ORDERED)
        expect(Math.sign(byKey(one, other)), `${one} and ${other}`).toBe(semver.compare(one, other))
  })
  it('have numbers of any length', () => {
    expect(byKey(`1.0.0-${'9'.repeat(40)}`, `1.0.0-1${'0'.repeat(40)}`)).toBe(-1)
    expect(byKey(`${'9'.repeat(20)}.0.0`, `1${'0'.repeat(20)}.0.0`)).toBe(-1)
  })
  it('have the same key when only the build differs', () => {
    expect(versionKey('1.0.0+linux.7')).toBe(versionKey('1.0.0'))
    expect(versionKey('1.0.0-rc.1+a-b')).toBe(versionKey('1.0.0-rc.1'))
  })
  it('are taken exactly where the specification allows them', () => {
    const check = Compile(Version)
    const wrong = [
      '',
      '1',
      '1.0',
      'v1.0.0',
      '1.0.0.0',
      '01.0.0',
      '1.0.0-',
      '1.0.0-01',
      '1.0.0-a..b',
      '1.0.0+',
      '1.0.0 ',
    ]
    for (const one of [...ORDERED, ...wrong, '1.0.0+a.b', '1.0.0-a+b', '1.0.0-é', '-1.0.0', '1.0.0\n'])
      expect(check.Check(one), JSON.stringify(one)).toBe(
        semver.parse(one)?.raw === one && one.trim() === one && !one.startsWith('v'),
      )
    expect(check.Check(`1.0.0-${'a'.repeat(59)}`)).toBe(false)
  })
})
