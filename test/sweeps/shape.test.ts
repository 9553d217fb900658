// The figures of scripts/shape.ts may only fall, and test/shape.txt says where they are.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { risen, SHAPE_FILE, shape, shapeOf, shapeText } from '../../scripts/shape.ts'

describe('the shape of the sources', () => {
  it('is what test/shape.txt says: `node scripts/shape.ts write` keeps what has become better, and takes nothing worse', () => {
    expect(shapeText(shape())).toBe(readFileSync(SHAPE_FILE, 'utf8'))
  })
  it('counts what it names', () => {
    const figures = shapeOf(readFileSync(SHAPE_FILE, 'utf8'))
    expect(Object.keys(figures)).toEqual(Object.keys(shape()))
    expect(risen({ one: 3, other: 2 }, { one: 4, other: 2, fresh: 9 })).toEqual(['one: 3 before, 4 now'])
  })
})
